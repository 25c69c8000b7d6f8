// Shows the row of a picked point beside the plots. Without this script the points are links to their rows.
const panel = document.getElementById("picked");
const heads = Array.from(document.querySelectorAll("#runs thead th"), (head) => head.textContent.trim());
function show(target) {
  const row = document.getElementById(target.slice(1));
  if (!row) return;
  const list = document.createElement("dl");
  Array.from(row.cells).forEach((cell, place) => {
    const text = cell.textContent.trim();
    if (!text || place === 0) return; // the number of the run is the title
    const name = document.createElement("dt");
    const value = document.createElement("dd");
    name.textContent = heads[place];
    value.textContent = text;
    const pair = document.createElement("div");
    if (text.length > 24) pair.className = "wide";
    pair.append(name, value);
    list.append(pair);
  });
  const title = document.createElement("h3");
  title.textContent = "Run " + target.slice(5);
  const plan = document.createElement("p");
  const command = document.createElement("code");
  command.textContent = "--pick " + target.slice(5);
  plan.append("Write its plan: ", command);
  panel.replaceChildren(title, list, plan);
  document.querySelectorAll("svg a.chosen, tr.chosen").forEach((one) => one.classList.remove("chosen"));
  document.querySelectorAll('svg a[href="' + target + '"]').forEach((one) => one.classList.add("chosen"));
  row.classList.add("chosen");
}
document.addEventListener("click", (event) => {
  const link = event.target.closest('svg a[href^="#run-"]');
  if (!link) return;
  event.preventDefault();
  show(link.getAttribute("href"));
});
if (panel.dataset.run) show("#run-" + panel.dataset.run);
