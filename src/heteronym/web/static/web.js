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

async function send(form) {
  const buttons = [...form.querySelectorAll("button")];
  buttons.forEach((button) => { button.disabled = true; });
  say(form, "");
  try {
    const response = await fetch(form.getAttribute("action"), {
      method: "POST",
      headers: { "content-type": "application/json", "x-heteronym-token": token },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
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
    send(event.target);
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

for (const field of document.querySelectorAll('input[type="number"][name="k"]')) {
  field.addEventListener("input", () => { field.closest("label").querySelector('input[type="radio"]').checked = true; });
}
for (const area of document.querySelectorAll("textarea[data-line]")) showLine(area, Number(area.dataset.line));
document.querySelectorAll("[data-job]").forEach(watch);
