// Forms, uploads and progress. Every write carries the token of the page; nothing is asked of other machines.
"use strict";
const token = document.querySelector('meta[name="write-token"]').content;

function say(form, text, bad) {
  const place = form.querySelector("output");
  place.textContent = text || "";
  place.classList.toggle("bad", Boolean(bad));
}

async function answerOf(response) {
  try {
    return await response.json();
  } catch {
    return { error: `The server answered ${response.status}. Load the page again.` };
  }
}

function follow(form, answer) {
  if (answer.go) {
    if (location.pathname === answer.go) location.reload();
    else location.assign(answer.go);
    return;
  }
  const line = answer.line ? `Line ${answer.line}: ` : "";
  say(form, answer.error ? line + answer.error : answer.note, answer.error);
  if (answer.error && answer.line) showLine(form.querySelector("textarea"), answer.line);
}

async function send(form, submitter) {
  const filled = Object.fromEntries(new FormData(form, submitter)); // a disabled button would not count
  const buttons = [...form.querySelectorAll("button")];
  buttons.forEach((button) => { button.disabled = true; });
  say(form, "");
  try {
    const response = await fetch(form.getAttribute("action"), {
      method: "POST",
      headers: { "content-type": "application/json", "x-heteronym-token": token },
      body: JSON.stringify(filled),
    });
    follow(form, await answerOf(response));
  } catch {
    say(form, "The server does not answer. Is it still running?", true);
  } finally {
    buttons.forEach((button) => { button.disabled = false; });
  }
}

function showLine(area, line) {
  if (!area) return;
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] || "").length);
  area.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(area).lineHeight));
}

function upload(form, file) {
  const bar = form.querySelector("progress");
  const request = new XMLHttpRequest(); // fetch does not tell how far an upload is
  bar.hidden = false;
  say(form, "");
  request.upload.onprogress = (event) => { if (event.lengthComputable) bar.value = event.loaded / event.total; };
  request.onload = () => {
    bar.hidden = true;
    try {
      follow(form, JSON.parse(request.responseText));
    } catch {
      say(form, `The server answered ${request.status}. Load the page again.`, true);
    }
  };
  request.onerror = () => { bar.hidden = true; say(form, "The upload was refused or broken off.", true); };
  request.open("POST", form.getAttribute("action"));
  request.setRequestHeader("x-heteronym-token", token);
  request.setRequestHeader("x-file-name", encodeURIComponent(file.name));
  request.send(file);
}

// A reload would take back the page that somebody just asked for; a download asks for one and stays.
let leaving = false;
addEventListener("beforeunload", () => {
  leaving = true;
  setTimeout(() => { leaving = false; }, 5000);
});

function reloadUnlessLeaving() {
  if (leaving) setTimeout(reloadUnlessLeaving, 1000);
  else location.reload();
}

function watch(card) {
  const bar = card.querySelector("progress");
  const events = new EventSource(`/jobs/${card.dataset.job}/events`);
  events.onmessage = (event) => {
    const state = JSON.parse(event.data);
    card.querySelector("[data-step]").textContent = state.step;
    const left = state.left === null ? "" : `, about ${Math.ceil(state.left)} s left in this step`;
    card.querySelector("[data-time]").textContent = `${Math.round(state.seconds)} s${left}`;
    if (state.share === null) bar.removeAttribute("value");
    else bar.value = state.share;
    if (state.state !== "running") {
      events.close();
      reloadUnlessLeaving();
    }
  };
}

document.addEventListener("submit", (event) => {
  if (event.target.matches("form[data-write]")) {
    event.preventDefault();
    send(event.target, event.submitter);
  } else if (event.target.matches("form[data-upload]")) {
    event.preventDefault();
  }
});

for (const form of document.querySelectorAll("form[data-upload]")) {
  const input = form.querySelector('input[type="file"]');
  input.addEventListener("change", () => { if (input.files.length) upload(form, input.files[0]); });
  for (const kind of ["dragenter", "dragover"]) {
    form.addEventListener(kind, (event) => { event.preventDefault(); form.classList.add("over"); });
  }
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length) upload(form, event.dataTransfer.files[0]);
  });
}

for (const form of document.querySelectorAll("form[data-file]")) {
  form.querySelector('input[type="file"]').addEventListener("change", async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    const response = await fetch(form.getAttribute("action"), {
      method: "POST",
      headers: { "content-type": "application/json", "x-heteronym-token": token },
      body: JSON.stringify({ [form.dataset.field]: await file.text() }),
    }).catch(() => null);
    follow(form, response ? await answerOf(response) : { error: "The server does not answer." });
  });
}

// An outline of a hierarchy, and the tree that it says.
for (const form of document.querySelectorAll("form[data-outline]")) {
  const area = form.querySelector("textarea"), tree = form.querySelector("[data-tree]");
  const MOST = 3000; // lines that are drawn
  const draw = () => {
    const lines = area.value.split("\n").filter((line) => line.trim() && !line.trimStart().startsWith("#"));
    const top = { depth: -1, names: [] };
    const above = [top];
    for (const line of lines.slice(0, MOST)) {
      const plain = line.replace(/\t/g, "        ");
      const node = { depth: plain.length - plain.trimStart().length, name: line.trim(), names: [] };
      while (above.length > 1 && above[above.length - 1].depth >= node.depth) above.pop();
      above[above.length - 1].names.push(node);
      above.push(node);
    }
    let leaves = 0, levels = 0;
    const drawn = (node, level) => {
      const item = document.createElement("li");
      levels = Math.max(levels, level);
      if (!node.names.length) {
        leaves += 1;
        item.textContent = node.name;
        return item;
      }
      const fold = document.createElement("details"), head = document.createElement("summary"), list = document.createElement("ul");
      fold.open = node.names.length <= 40;
      head.textContent = node.name;
      list.append(...node.names.map((one) => drawn(one, level + 1)));
      fold.append(head, list);
      item.append(fold);
      return item;
    };
    tree.replaceChildren(...top.names.map((one) => drawn(one, 1)));
    form.querySelector("[data-tree-counts]").textContent = lines.length
      ? `${leaves.toLocaleString("en")} values, ${levels} levels${lines.length > MOST ? `; the first ${MOST.toLocaleString("en")} lines are drawn` : ""}`
      : "No hierarchy: the column is recoded as its scale says.";
  };
  let typing = 0, leave = false;
  area.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(draw, 150); });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || leave) { leave = event.key === "Escape"; return; }
    event.preventDefault();
    const start = area.value.lastIndexOf("\n", area.selectionStart - 1) + 1, end = area.selectionEnd;
    const block = area.value.slice(start, end);
    const moved = event.shiftKey ? block.replace(/^ {1,2}/gm, "") : block.replace(/^/gm, "  ");
    area.setRangeText(moved, start, end, "select");
    draw();
  });
  for (const button of form.querySelectorAll("[data-build]")) {
    button.addEventListener("click", async () => {
      say(form, "Building …");
      const response = await fetch(`/do/hierarchy/${button.dataset.build}/build`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-heteronym-token": token },
        body: JSON.stringify({ kind: button.dataset.kind || form.elements.kind.value, text: area.value }),
      }).catch(() => null);
      const answer = response ? await answerOf(response) : { error: "The server does not answer." };
      if (answer.text !== undefined) area.value = answer.text;
      follow(form, answer);
      draw();
    });
  }
  draw();
}

// Points of a comparison: the picture and the list below it choose the same.
for (const form of document.querySelectorAll("form[data-points]")) {
  const choose = (number) => {
    for (const link of form.querySelectorAll("svg a")) link.classList.toggle("chosen", link.getAttribute("href") === `#point-${number}`);
    for (const row of form.querySelectorAll("tbody tr")) row.classList.toggle("chosen", row.id === `point-${number}`);
  };
  form.addEventListener("click", (event) => {
    const link = event.target.closest('svg a[href^="#point-"]');
    if (!link) return;
    event.preventDefault();
    const radio = form.querySelector(`${link.getAttribute("href")} input`);
    radio.checked = true;
    choose(radio.value);
  });
  form.addEventListener("change", (event) => choose(event.target.value));
  const now = form.querySelector("input:checked");
  if (now) choose(now.value);
}

for (const field of document.querySelectorAll('input[type="number"][name="k"]')) {
  field.addEventListener("input", () => { field.closest("label").querySelector('input[type="radio"]').checked = true; });
}
for (const area of document.querySelectorAll("textarea[data-line]")) showLine(area, Number(area.dataset.line));
document.querySelectorAll("[data-job]").forEach(watch);
