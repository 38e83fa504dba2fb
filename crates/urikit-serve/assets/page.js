// Updates the page while the user types. Without this script, the forms do the same.
"use strict";
const byId = (id) => document.getElementById(id);
const result = byId("result");

// Replaces the results with a part that the server rendered. Keeps the focus, the selection and the
// open details.
function show(html) {
  const { activeElement: active } = document;
  const id = result.contains(active) ? active.id : "";
  const selection = id && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null;
  const open = [...result.querySelectorAll("details[open]")].map((details) => details.id);
  result.innerHTML = html;
  for (const each of open) {
    const details = byId(each);
    if (details) details.open = true;
  }
  const again = id && byId(id);
  if (again) {
    again.focus();
    if (selection) again.setSelectionRange(...selection);
  }
  ready();
}

// Shows the buttons that need scripts, and announces the results.
function ready() {
  for (const button of result.querySelectorAll("button[hidden]")) button.hidden = false;
  const part = result.querySelector("[data-summary]");
  if (part) byId("status").textContent = part.dataset.summary;
}

// Runs one task at a time; the newest task that came meanwhile follows.
let isBusy = false;
let next = null;
async function run(task) {
  if (isBusy) {
    next = task;
    return;
  }
  isBusy = true;
  try {
    await task();
  } catch {
    byId("status").textContent = "The server does not answer.";
  }
  isBusy = false;
  const following = next;
  next = null;
  if (following) await run(following);
}

async function part(address, options) {
  const start = performance.now();
  const response = await fetch(address, options);
  const text = await response.text();
  if (!response.ok) {
    // Only problem details have a body; the head of a request has a maximum length.
    byId("status").textContent = text ? JSON.parse(text).detail : "The reference is too long.";
    return;
  }
  // The fields may have changed meanwhile; then newer results follow.
  if (next) return;
  show(text);
  result.dataset.milliseconds = (performance.now() - start).toFixed(2);
}

// Writes the state into the address bar, at most a few times per second, as browsers require.
let timer = 0;
function remember(address) {
  clearTimeout(timer);
  timer = setTimeout(() => history.replaceState(null, "", address), 300);
}

function query(form) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value !== "" && !(name === "standard" && value === "rfc3986")) fields.append(name, value);
  }
  return fields.toString();
}

// The forms of `/` and `/encode`.
function live(form, partOf, page) {
  const update = () => {
    const fields = query(form);
    remember(fields ? `${page}?${fields}` : page);
    return part(`${partOf}?${fields}`);
  };
  form.addEventListener("input", () => run(update));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(update);
  });
  return update;
}

const ask = byId("ask");
if (ask) {
  const update = live(ask, "/part", "/");
  // The table of pairs changes the reference.
  const edit = async () => {
    const fields = new URLSearchParams(new FormData(byId("query")));
    const { url } = await fetch(`/query?${fields}`, { method: "HEAD" });
    ask.elements.url.value = new URL(url).searchParams.get("url") ?? "";
    await update();
  };
  for (const kind of ["input", "submit"]) {
    result.addEventListener(kind, (event) => {
      event.preventDefault();
      run(edit);
    });
  }
}

const encode = byId("encode-form");
if (encode) live(encode, "/encode/part", "/encode");

const texts = byId("text-form");
if (texts) {
  const find = (body, name) => run(() => part(`/text/part?name=${encodeURIComponent(name)}`, {
    method: "POST", body, headers: { "content-type": "application/octet-stream" },
  }));
  const update = () => {
    const { value } = texts.elements.text;
    if (value.length < 4000) remember(value ? `/text?text=${encodeURIComponent(value)}` : "/text");
    return find(value, "");
  };
  texts.elements.text.addEventListener("input", update);
  texts.addEventListener("submit", (event) => {
    event.preventDefault();
    update();
  });
  byId("drop").hidden = false;
  const take = ([file]) => file && find(file, file.name);
  byId("file").addEventListener("change", (event) => take(event.target.files));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      texts.elements.text.classList.toggle("dragged", kind === "dragover");
      if (kind === "drop") take(event.dataTransfer.files);
    });
  }
}

document.addEventListener("click", async ({ target }) => {
  const { copy, fetch: from, handlers } = target.dataset ?? {};
  if (handlers) {
    for (const scheme of handlers.split(" ")) navigator.registerProtocolHandler(scheme, `${location.origin}/open?url=%s`);
    byId("status").textContent = "The browser asks whether to allow it.";
    return;
  }
  if (!copy && !from) return;
  const text = copy ? byId(copy).textContent : await (await fetch(from)).text();
  await navigator.clipboard.writeText(text);
  byId("status").textContent = "Copied.";
});

if (result) ready();
