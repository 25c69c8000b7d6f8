// The review. Keys are taken one after another, against the state that the keys before them made; a key whose
// meaning is not known yet (the next words are on their way, a count is asked for) is held until it is. What
// they decide goes to a local queue of steps that is sent in order, several at once, and again until the
// server has answered: no key waits for the server, and none is lost if it is slow.
"use strict";
const review = document.getElementById("review");
if (review) startReview();

function startReview() {
  const part = (name) => review.querySelector(`[data-${name}]`);
  const ask = document.getElementById("ask");
  const readOnly = review.hasAttribute("data-read-only");
  const session = Array.from(crypto.getRandomValues(new Uint8Array(8)), (b) => b.toString(16).padStart(2, "0")).join("");
  const AHEAD = 120, FEW = 60, AT_ONCE = 100;
  const view = { state: "open", type: null, contains: "" };
  let terms = [], at = 0, after = -1, more = true, loading = null, version = 0;
  let here = -1; // the place that "only here" means, -1: everywhere
  let kind = null; // the type that was chosen last
  let done = []; // what undo goes back to: where in `terms`
  const steps = []; // decided and not yet answered
  let sending = false, count = 0, pause = 300;
  const held = []; // keys whose meaning is not known yet
  let unsure = 0; // answers that must come before a key means anything
  let question = null; // what is asked for; its `then` takes the answer

  const post = (path, body, keep) => fetch(path, {
    method: "POST", keepalive: Boolean(keep), body: JSON.stringify(body),
    headers: { "content-type": "application/json", "x-heteronym-token": token },
  });
  async function call(path, body) {
    const response = await post(path, body);
    const answer = await answerOf(response);
    if (answer.error) throw new Error(answer.error);
    return answer;
  }
  const make = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const many = (number, one) => `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

  // --- what is sent ---------------------------------------------------------------------------------

  function push(step, then) {
    count += 1;
    const id = `${session}-${count}`;
    steps.push({ step: { ...step, id }, then });
    waiting();
    send();
    return id;
  }
  async function send() {
    if (sending || !steps.length) return;
    sending = true;
    const some = steps.slice(0, AT_ONCE);
    try {
      const response = await post("/do/words", { steps: some.map((one) => one.step) });
      if (!response.ok) throw new Error(response.status === 403 || response.status === 401 ? "gone" : "busy");
      const answer = await response.json();
      steps.splice(0, some.length);
      pause = 300;
      told(answer);
      some.forEach((one, number) => {
        if (answer.told[number].error) say(answer.told[number].error, true);
        if (one.then) one.then(answer.told[number]);
      });
      waiting();
    } catch (error) {
      say(error.message === "gone"
        ? `The server was started anew: ${many(steps.length, "decision")} of this page cannot be kept. Open its new address.`
        : `The server does not answer; ${many(steps.length, "decision")} wait here and are sent again.`, true);
      await new Promise((go) => setTimeout(go, pause));
      pause = Math.min(pause * 2, 5000);
    } finally {
      sending = false;
      if (steps.length) send();
    }
  }
  function waiting() {
    review.dataset.waiting = steps.length;
    if (steps.length > 40) say(`${many(steps.length, "decision")} on the way`);
    else if (!steps.length && /on the way|sent again/.test(part("wait").textContent)) say("");
  }
  addEventListener("beforeunload", (event) => { if (steps.length) event.preventDefault(); });
  addEventListener("pagehide", () => {
    if (steps.length) post("/do/words", { steps: steps.slice(0, 400).map((one) => one.step) }, true);
  });
  function say(text, bad) {
    part("wait").textContent = text;
    part("wait").classList.toggle("bad", Boolean(bad));
  }
  function told(answer) {
    const p = answer.progress;
    part("progress").textContent = `${p.decided.toLocaleString("en")} of ${many(p.terms, "word")} decided`
      + (p.differing ? `, ${p.differing} where reviewers differ` : "");
    const m = answer.missed;
    part("missed").textContent = m.checked
      ? `${m.missed} of ${many(m.checked, "sentence")} had something missed: ${(100 * m.share).toFixed(1)} %, `
        + `between ${(100 * m.low).toFixed(1)} and ${(100 * m.high).toFixed(1)} % (95 %).`
      : "No sentence was checked yet.";
  }

  // --- what is loaded -------------------------------------------------------------------------------

  async function load() {
    if (loading || !more) return loading;
    const mine = version;
    loading = (async () => {
      try {
        const answer = await call("/words/terms", { ...view, after, most: AHEAD });
        if (mine !== version) return;
        const known = new Set(terms.map((one) => one.term));
        const fresh = answer.terms.filter((one) => !known.has(one.term));
        if (answer.terms.length) after = answer.terms[answer.terms.length - 1].number;
        more = answer.terms.length === AHEAD;
        terms.push(...fresh);
        if (!steps.length) told(answer);
      } catch (error) {
        say(error.message, true);
        await new Promise((go) => setTimeout(go, 1000));
      } finally {
        if (mine === version) loading = null;
      }
    })();
    await loading;
    if (mine === version) {
      show();
      takeHeld();
    }
  }
  async function restart() {
    version += 1;
    loading = null;
    [terms, at, after, more, done, here] = [[], 0, -1, true, [], -1];
    show();
    await sent();
    await load();
  }
  async function sent() {
    while (steps.length) await new Promise((go) => setTimeout(go, 30));
  }
  // keys wait until this is over; what it throws is told
  async function whileKeysWait(work) {
    unsure += 1;
    try {
      await work();
    } catch (error) {
      say(error.message, true);
    } finally {
      unsure -= 1;
      takeHeld();
    }
  }

  // --- what is shown --------------------------------------------------------------------------------

  function drawn(pieces, place) {
    const text = make("span");
    text.dataset.text = "";
    for (const [piece, mark] of pieces) {
      if (!mark) text.append(piece);
      else {
        const made = make("mark", piece, mark === "this" ? "this" : "other");
        if (mark !== "this") made.title = mark;
        text.append(made);
      }
    }
    place.append(text);
  }
  let shownTerm = null, timer = 0;
  function show() {
    const one = terms[at];
    part("full").hidden = !one;
    part("empty").hidden = Boolean(one);
    if (!one) {
      part("empty").textContent = more ? "Loading …" : terms.length || view.state !== "open" || view.type || view.contains
        ? "Nothing more in view." : "Every word is decided.";
    } else {
      part("spelling").textContent = one.spelling;
      part("type").textContent = one.types.join(", ");
      part("counts").textContent = `${many(one.places, "place")}, ${many(one.persons, "person")}, found with ${one.score}`;
      part("said").textContent = saidOf(one);
      const list = part("contexts");
      list.replaceChildren(...one.contexts.map((context, number) => {
        const made = make("li");
        made.classList.toggle("here", number === here);
        drawn(context.pieces, made);
        made.append(make("small", context.column, "soft"));
        return made;
      }));
    }
    part("coming").replaceChildren(...terms.slice(at + 1, at + 9).map((next) => {
      const made = make("li");
      made.append(make("b", next.spelling), " ", make("span", next.type, "tag"), ` ${many(next.places, "place")}`);
      return made;
    }));
    review.dataset.at = at;
    if (one !== shownTerm) {
      shownTerm = one;
      clearTimeout(timer);
      timer = setTimeout(() => one && tellEffect(one), 180);
    }
    if (terms.length - at < FEW) load();
  }
  function saidOf(one) {
    const said = one.decision;
    if (!said) return "";
    if (said.is === "open") return "Reviewers differ: " + Object.entries(said.said || {}).map(([who, what]) => `${who} says ${what}`).join(", ");
    const names = { confirm: "right", keep: "kept as it stands", mask: "always masked", never: "never a mention", type: `of type ${said.type}`, same: `the same as “${said.same_as}”`, add: `added as ${said.type}` };
    return `Decided: ${names[said.is] || said.is}${said.who ? ` (${said.who})` : ""}`;
  }
  async function tellEffect(one) {
    let found = null;
    try {
      found = (await call("/words/effect", { term: one.term })).effect;
    } catch {
      return;
    }
    if (terms[at] !== one) return;
    const place = part("effect");
    if (!found) {
      place.replaceChildren(make("p", "What a decision changes is told here, after the first run.", "soft"));
      return;
    }
    const last = [];
    if (found.kept) last.push(`kept in ${many(found.kept, "group")}, where all mention it`);
    if (found.generalized) last.push(`generalized in ${found.generalized}`);
    if (found.always) last.push("masked everywhere, as its type always is");
    else if (found.masked) last.push(`masked in ${found.masked}, where only some do or it is spelt in several ways`);
    for (const [column, times] of Object.entries(found.follows)) last.push(`${times} times it repeats its person's ${column}`);
    const table = make("table");
    const head = table.createTHead().insertRow();
    for (const [name, n] of [["", ""], ["Fewest alike", "n"], ["Loss", "n"], ["Rows changed", "n"]]) {
      const cell = make("th", name, n);
      cell.scope = "col";
      if (!name) cell.append(make("span", "If it is", "aloud"));
      head.append(cell);
    }
    const body = table.createTBody();
    const rows = [["As it is now", found.now], ["Kept", found.keep], ["Masked", found.mask]];
    if (found.generalize) rows.splice(2, 0, [`As “${found.label}”`, found.generalize]);
    for (const [name, outcome] of rows) {
      const row = body.insertRow();
      const title = make("th", name);
      title.scope = "row";
      row.append(title);
      const fewest = make("td", outcome.fewest, "n");
      if (found.k && outcome.fewest < found.k) fewest.className = "n bad";
      row.append(fewest, make("td", outcome.loss.toFixed(3), "n"), make("td", outcome.rows, "n"));
    }
    place.replaceChildren(
      make("p", `${many(found.persons, "person")} in ${many(found.groups, "group")} hold it. In the last run: ${last.join("; ") || "nothing of it was treated as a term"}.`),
      table,
      make("p", `Fewest persons who look alike to somebody who knows the words that show${found.k ? `; the plan promises ${found.k}` : ""}. A kept word stands outside of the promise.`, "soft"),
    );
  }

  // --- what keys do ---------------------------------------------------------------------------------

  function decide(decision, extra) {
    const one = terms[at];
    if (!one) return;
    const step = { do: "decide", term: one.term, decision, ...extra };
    if (here >= 0 && one.contexts[here]) {
      step.spot = one.contexts[here].spot;
      push(step);
      say(`Decided for one place of “${one.spelling}”.`);
      here = -1;
      show();
      return;
    }
    const back = { at, before: one.decision };
    one.decision = { is: decision, type: step.type || null, same_as: step.same_as || null };
    back.id = push(step, (told) => {
      if (!told.error) return;
      one.decision = back.before; // the server knows why it cannot be, and has told
      done = done.filter((other) => other !== back);
      show();
    });
    done.push(back);
    at += 1;
    show();
  }
  function undo() {
    const back = done.pop();
    if (back) {
      at = back.at;
      terms[at].decision = back.before;
      push({ do: "undo", of: back.id });
      show();
      return;
    }
    whileKeysWait(async () => {
      const answer = await new Promise((then) => push({ do: "undo" }, then));
      if (!answer.undone) say("There is nothing to undo.");
      else {
        await restart();
        say("Taken back.");
      }
    });
  }
  function move(by) {
    at = Math.max(0, Math.min(at + by, terms.length));
    here = -1;
    show();
  }
  // A question is a state of this page; the dialog only shows it. Its answer is taken in the event that gives it,
  // so that the next key finds what the answer made.
  const field = (name) => ask.querySelector(`[name=${name}]`);
  function put(title, wanted, then) {
    question = { then };
    document.getElementById("ask-title").textContent = title;
    for (const name of ["words", "kinds", "same", "bulk"]) ask.querySelector(`[data-${name}]`).hidden = !wanted.includes(name);
    if (kind) field("kind").value = kind;
    ask.showModal();
  }
  function answer(yes) {
    const { then } = question;
    question = null;
    ask.close();
    if (ask.contains(document.activeElement)) document.activeElement.blur();
    if (yes) then();
    takeHeld();
  }
  ask.addEventListener("close", () => { if (question) answer(false); });
  ask.addEventListener("click", (event) => {
    const button = event.target.closest("[data-answer]");
    if (button && question) answer(button.dataset.answer === "yes");
  });
  ask.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  function chooseType() {
    put("Of which type is it?", ["kinds"], () => {
      kind = field("kind").value;
      decide("type", { type: kind });
    });
  }
  function selectedWords() {
    const selection = getSelection();
    const from = selection.anchorNode && selection.anchorNode.parentElement;
    return from && from.closest("[data-text]") ? selection.toString().trim() : "";
  }
  function add() {
    const sentence = getSelection().anchorNode?.parentElement?.closest("li[data-spot]");
    field("words").value = selectedWords();
    put("Which words were missed?", ["words", "kinds"], () => {
      const words = field("words").value;
      if (!words.trim()) return;
      kind = field("kind").value;
      done = [];
      push({ do: "add", words, type: kind }, (told) => {
        if (!told.error) say(`Added: ${many(told.places, "place")} of “${told.added.spelling}” follow.`);
      });
      if (sentence) check(sentence, true);
    });
  }
  function sameAs() {
    field("same").value = "";
    put(`“${terms[at].spelling}” is the same as`, ["same"], () => {
      if (field("same").value.trim()) decide("same", { same_as: field("same").value });
    });
  }
  field("same").addEventListener("input", async (event) => {
    const found = await call("/words/terms", { state: "all", contains: event.target.value, most: 8 }).catch(() => ({ terms: [] }));
    document.getElementById("alike").replaceChildren(...found.terms.map((one) => {
      const made = make("option");
      made.value = one.spelling;
      return made;
    }));
  });
  function bulk() {
    const filter = { ...view };
    whileKeysWait(async () => {
      await sent();
      const { count: seen } = await call("/words/count", filter);
      if (!seen) return;
      put(`All ${many(seen, "word")} in view`, ["bulk"], () => whileKeysWait(async () => {
        const decision = field("bulk").value;
        const told = await new Promise((then) => push({ do: "all", ...filter, decision, expected: seen }, then));
        await restart();
        if (!told.error) say(`Decided about ${many(told.terms, "word")}. U takes all of it back.`);
      }));
    });
  }
  function only() {
    const one = terms[at];
    if (!one) return;
    here = here + 1 >= one.contexts.length ? -1 : here + 1;
    say(here < 0 ? "The next decision holds everywhere." : `The next decision holds for place ${here + 1} alone.`);
    show();
  }

  // --- sentences without marks ------------------------------------------------------------------------

  async function draw() {
    const answer = await call("/words/sample", {});
    told(answer);
    part("sentences").replaceChildren(...answer.sentences.map((one) => {
      const made = make("li");
      made.dataset.spot = JSON.stringify(one.spot);
      drawn(one.pieces, made);
      if (!readOnly) {
        const nothing = make("button", "Nothing missed", "quiet small");
        nothing.type = "button";
        nothing.addEventListener("click", () => check(made, false));
        const something = make("button", "Something missed", "quiet small");
        something.type = "button";
        something.addEventListener("click", () => {
          if (!selectedWords()) {
            const range = document.createRange();
            range.selectNodeContents(made.querySelector("[data-text]"));
            getSelection().removeAllRanges();
            getSelection().addRange(range);
          }
          take({ act: "add" });
        });
        made.append(" ", nothing, " ", something);
      }
      return made;
    }));
    if (!answer.sentences.length) part("sentences").append(make("li", "There is no further sentence without a mark."));
  }
  function check(sentence, missed) {
    push({ do: "check", spot: JSON.parse(sentence.dataset.spot), missed });
    done = [];
    sentence.remove();
    if (!part("sentences").children.length) sent().then(draw);
  }

  const acts = {
    confirm: () => decide("confirm"), keep: () => decide("keep"), mask: () => decide("mask"), never: () => decide("never"),
    type: () => (kind ? decide("type", { type: kind }) : chooseType()), types: chooseType, same: sameAs,
    only, undo, add, bulk, next: () => move(1), back: () => move(-1), sample: draw,
    find: () => part("filters").querySelector("[name=letters]").focus(),
  };
  const keys = { Enter: "confirm", k: "keep", m: "mask", n: "never", t: "type", T: "types", s: "same", o: "only", u: "undo", a: "add", b: "bulk", ArrowDown: "next", ArrowUp: "back", "/": "find", d: "sample" };
  const looking = new Set(["next", "back", "find", "sample"]);
  const ofTerm = new Set(["confirm", "keep", "mask", "never", "type", "types", "same", "only"]);
  // the meaning of a key follows from the keys before it: none overtakes one that waits
  function take(one) {
    held.push(one);
    takeHeld();
  }
  function takeHeld() {
    takeWhatCan();
    review.dataset.held = held.length;
  }
  function takeWhatCan() {
    while (held.length && !unsure) {
      const one = held[0], name = one.act || keys[one.key];
      if (question) {
        held.shift();
        typeInto(one.key);
        continue;
      }
      if ((ofTerm.has(name) || name === "next") && !terms[at] && more) return;
      held.shift();
      if (name) act(name);
    }
  }
  // a key that was held and turns out to be for the question
  function typeInto(key) {
    const input = ["words", "same"].map(field).find((one) => !one.closest("p").hidden);
    const list = ["kind", "bulk"].map(field).find((one) => !one.closest("p").hidden);
    if (key === "Enter" || key === "Escape") answer(key === "Enter");
    else if (key?.length === 1 && input) input.value += key;
    else if (key?.length === 1) {
      question.typed = (question.typed || "") + key.toLowerCase();
      const found = [...list.options].find((one) => one.text.toLowerCase().startsWith(question.typed));
      if (found) list.value = found.value;
    }
  }
  function act(name) {
    if (!acts[name] || (readOnly && !looking.has(name)) || (ofTerm.has(name) && !terms[at])) return;
    acts[name]();
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (question) {
      if (event.key === "Escape" || (event.key === "Enter" && !event.target.closest("button"))) {
        event.preventDefault();
        answer(event.key === "Enter");
      }
      return;
    }
    const typedInto = event.target.closest("input, select, textarea, [contenteditable]");
    if (typedInto && !ask.contains(typedInto)) {
      if (event.key === "Escape") typedInto.blur();
      return;
    }
    if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
    const waits = held.length || unsure;
    if (!keys[event.key] && !(waits && (event.key.length === 1 || event.key === "Escape"))) return;
    event.preventDefault();
    take({ key: event.key });
  });
  review.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) take({ act: button.dataset.do });
  });
  const filters = part("filters");
  filters.addEventListener("submit", (event) => event.preventDefault());
  let typing = 0;
  filters.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      view.state = filters.elements.state.value;
      view.type = filters.elements.type.value || null;
      view.contains = filters.elements.letters.value;
      restart();
    }, 200);
  });
  load();
}
