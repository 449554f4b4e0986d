// The page works without this file. With it there is one editor at a time, a
// preview that follows the typing, and insertion at the caret. The server does the
// work: nothing here knows what a reference, a gate or a prompt is.

const form = document.getElementById("prompts-form");
const editors = document.getElementById("prompts-editors");
const output = document.getElementById("prompts-output");
const samples = document.getElementById("prompts-samples");
const late = form.querySelector("[data-late]");
const elsewhere = form.querySelector("#prompts-start, #prompts-orphan");
const current = form.querySelector("input[name=fragment]");
const DELAY = 300;

const fold = (text) => text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
const boxes = () => [...form.querySelectorAll("textarea[data-saved]")];
const isChanged = (box) => !box.readOnly && fold(box.value) !== fold(box.dataset.saved);
const keyOf = (box) => box.closest("[data-editor]").dataset.editor;
const editorOf = (key) => form.querySelector(`[data-editor="${CSS.escape(key)}"]`);
const boxOf = (key) => editorOf(key)?.querySelector("textarea[data-saved]");
const carried = () => [...form.querySelectorAll("[data-carried]")];

let leaving = false;
let timer = 0;
let asking = null;
let lastBox = null;
let wanted = "";

// What is sent: only the boxes that were changed, and the fields round them.

function isUntouched(field) {
  const box = field.closest("[data-editor]")?.querySelector("textarea[data-saved]");
  return Boolean(box) && /^(text|etag|shown):/.test(field.name) && !isChanged(box);
}

function payload() {
  const data = new FormData();
  for (const field of form.elements) {
    const skipped = !field.name || field.type === "submit" || field.disabled;
    const unticked = field.type === "checkbox" && !field.checked;
    if (!skipped && !unticked && !isUntouched(field)) {
      data.append(field.name, field.value);
    }
  }
  return data;
}

async function post(address, { fragment = current.value, signal } = {}) {
  const body = payload();
  body.set("fragment", fragment);
  const answer = await fetch(address, {
    method: "POST",
    body,
    signal,
    redirect: "error",
    headers: { "X-Requested-With": "XMLHttpRequest" },
  });
  if (!answer.ok) {
    throw new Error(`The server answered ${answer.status}.`);
  }
  return answer;
}

// The preview: asked for when the typing rests, older answers dropped.

function refreshSoon() {
  clearTimeout(timer);
  timer = setTimeout(refresh, DELAY);
}

async function refresh({ withSamples = false } = {}) {
  clearTimeout(timer);
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  try {
    const answer = await post(form.dataset.preview, { signal: mine.signal });
    const parts = await answer.json();
    if (asking === mine) {
      show(parts, withSamples);
    }
  } catch (error) {
    if (error.name !== "AbortError" && asking === mine) {
      late.hidden = false;
    }
  }
}

function show(parts, withSamples) {
  const prompt = output.querySelector(".prompts-prompt");
  const top = prompt?.scrollTop ?? 0;
  const isOpen = output.querySelector(".prompts-out")?.open ?? true;
  output.innerHTML = parts.output;
  if (withSamples) {
    const wasOpen = samples.querySelector(".prompts-fold")?.open ?? false;
    samples.innerHTML = parts.samples;
    samples.querySelector(".prompts-fold").open = wasOpen;
  }
  const fresh = output.querySelector(".prompts-prompt");
  if (fresh) {
    fresh.scrollTop = top;
    output.querySelector(".prompts-out").open = isOpen;
  }
  late.hidden = true;
  const legend = editorOf(current.value)?.querySelector("[data-legend]");
  if (legend) {
    legend.innerHTML = parts.legend;
  }
  tellPlaces(parts.places);
  markCurrent();
}

function tellPlaces(places) {
  const count = Object.keys(places).length;
  for (const editor of form.querySelectorAll("[data-editor]")) {
    const said = editor.querySelector("[data-passage]");
    const number = places[editor.dataset.editor];
    const shown = said.querySelector("a")?.textContent.trim() ?? "";
    const words = said.dataset.here.replace("%(number)s", number).replace("%(count)s", count);
    if (!number && shown) {
      said.replaceChildren(said.dataset.gone);
    } else if (number && shown !== words) {
      const link = document.createElement("a");
      link.href = `#passage:${editor.dataset.editor}`;
      link.textContent = words;
      said.replaceChildren(link);
    }
  }
}

function markCurrent() {
  for (const passage of output.querySelectorAll("[data-passage-of]")) {
    passage.classList.toggle("is-current", passage.dataset.passageOf === current.value);
  }
}

// One editor at a time.

async function open(key, { focus = true } = {}) {
  wanted = key;
  if (!editorOf(key)) {
    try {
      const answer = await post(form.dataset.editors, { fragment: key });
      addEditors(await answer.text());
    } catch {
      late.hidden = false;
    }
  }
  // Another fragment may have been chosen while this one was on its way.
  if (wanted !== key || !editorOf(key)) {
    return;
  }
  current.value = key;
  elsewhere?.remove();
  choose(key);
  const address = new URL(location.href);
  address.searchParams.set("fragment", key);
  address.hash = key;
  history.replaceState(null, "", address);
  if (focus) {
    boxOf(key).focus({ preventScroll: true });
  }
}

function addEditors(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const editor of parsed.querySelectorAll("[data-editor]")) {
    const key = editor.dataset.editor;
    if (!editorOf(key)) {
      editors.append(document.adoptNode(editor));
      form.querySelector(`[data-carried="${CSS.escape(key)}"]`)?.remove();
      update(boxOf(key));
    }
  }
}

function choose(key) {
  for (const editor of form.querySelectorAll("[data-editor]")) {
    editor.toggleAttribute("data-current", editor.dataset.editor === key);
  }
  for (const row of form.querySelectorAll("[data-row] > [aria-current]")) {
    row.removeAttribute("aria-current");
  }
  const row = form.querySelector(`[data-row="${CSS.escape(key)}"]`);
  row?.closest("details").setAttribute("open", "");
  row?.querySelector("[data-key]")?.setAttribute("aria-current", "true");
  row?.scrollIntoView({ block: "nearest" });
  markCurrent();
  scrollPrompt(key);
}

function scrollPrompt(key) {
  const prompt = output.querySelector(".prompts-prompt");
  const passage = document.getElementById(`passage:${key}`);
  if (prompt && passage && prompt.scrollHeight > prompt.clientHeight) {
    prompt.scrollTop = passage.offsetTop - prompt.offsetTop - 8;
  }
}

// What an editor says of its own text.

function update(box) {
  const editor = box.closest("[data-editor]");
  const text = fold(box.value);
  const length = [...text].length;
  const delta = length - [...fold(box.dataset.saved)].length;
  const changed = isChanged(box);
  editor.querySelector("[data-length]").textContent = length;
  editor.querySelector("[data-delta]").textContent = delta ? `${delta > 0 ? "+" : "−"}${Math.abs(delta)}` : "";
  editor.querySelector("[data-badge-unsaved]").hidden = !changed;
  const mark = form.querySelector(`[data-row="${CSS.escape(editor.dataset.editor)}"] .prompts-mark-unsaved`);
  if (mark) {
    mark.hidden = !changed;
  }
  const notice = editor.querySelector("[data-off-notice]");
  if (notice) {
    notice.hidden = Boolean(text.trim());
    notice.textContent = changed ? notice.dataset.then : notice.dataset.now;
  }
  const beneath = fold(box.dataset.beneath);
  toggleButton(editor, "_restore", text.trim() !== beneath.trim());
  toggleButton(editor, "_off", Boolean(text.trim()));
  count();
}

function toggleButton(editor, name, active) {
  const button = editor.querySelector(`button[name="${name}"]`);
  if (button) {
    button.disabled = !active;
  }
}

function changes() {
  return boxes().filter(isChanged).length + carried().length;
}

function count() {
  const said = form.querySelector(".prompts-changes");
  if (!said) {
    return;
  }
  const number = changes();
  const words = number === 0 ? said.dataset.none : number === 1 ? said.dataset.one : said.dataset.many;
  said.textContent = words.replace("%(number)s", number);
  form.querySelector("[data-save]").disabled = number === 0;
  form.querySelector("[data-discard]").disabled = number === 0;
}

// Edits made by buttons go through the undo stack of the browser.

function replaceAll(box, text) {
  box.focus();
  box.select();
  insert(box, text);
}

function insert(box, text) {
  box.focus();
  const done = document.execCommand(text ? "insertText" : "delete", false, text);
  if (!done) {
    box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

async function copy(button) {
  const raw = document.getElementById("prompts-raw");
  if (!raw) {
    return;
  }
  await navigator.clipboard.writeText(JSON.parse(raw.textContent));
  const words = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => {
    button.textContent = words;
  }, 2000);
}

form.addEventListener("input", (event) => {
  const box = event.target;
  if (box.matches("textarea[data-saved]")) {
    update(box);
    refreshSoon();
  } else if (box.name?.startsWith("value:")) {
    refreshSoon();
  }
});

form.addEventListener("change", (event) => {
  if (event.target.matches("#prompts-scenario, #prompts-level")) {
    refresh({ withSamples: true });
  }
});

form.addEventListener("focusin", (event) => {
  if (event.target.matches("textarea[data-saved]")) {
    lastBox = event.target;
  }
});

// A press on a variable must not take the focus, and with it the caret, away.
form.addEventListener("mousedown", (event) => {
  if (event.target.closest("[data-insert]")) {
    event.preventDefault();
  }
});

const handlers = {
  "[data-insert]"(button) {
    const shown = form.querySelector("[data-editor][data-current] textarea[data-saved]");
    const box = button.closest("[data-editor]")?.querySelector("textarea[data-saved]") ?? shown ?? lastBox;
    if (box && !box.readOnly) {
      insert(box, `{{${button.dataset.insert}}}`);
    }
  },
  "[data-key]"(link) {
    open(link.dataset.key);
  },
  "button[name=_restore]"(button) {
    const box = boxOf(button.value);
    replaceAll(box, box.dataset.beneath);
  },
  "button[name=_off]"(button) {
    replaceAll(boxOf(button.value), "");
  },
  "button[name=_scenario]"(button) {
    form.elements.namedItem("scenario").value = button.value;
    refresh({ withSamples: true });
  },
  "[data-copy]": copy,
  "[data-again]": () => refresh(),
  "a[href^='#passage:']"(link) {
    scrollPrompt(link.hash.slice("#passage:".length));
  },
};

form.addEventListener("click", (event) => {
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
  for (const [selector, act] of Object.entries(handlers)) {
    const found = event.target.closest(selector);
    if (found && plain) {
      event.preventDefault();
      act(found);
      return;
    }
  }
});

// Enter in a field updates the preview and nothing else.
form.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key === "Enter" && field.matches("input[type=text]")) {
    event.preventDefault();
    refresh();
  }
});

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.matches("[data-discard]") && !window.confirm(button.dataset.question)) {
    event.preventDefault();
    return;
  }
  leaving = true;
  for (const field of form.elements) {
    if (isUntouched(field)) {
      field.disabled = true;
    }
  }
});

window.addEventListener("pageshow", () => {
  leaving = false;
  for (const field of form.elements) {
    if (/^(text|etag|shown):/.test(field.name)) {
      field.disabled = false;
    }
  }
});

window.addEventListener("beforeunload", (event) => {
  if (!leaving && changes() > 0) {
    event.preventDefault();
  }
});

document.documentElement.classList.add("prompts-scripted");
// Browsers keep the clipboard from pages that came without encryption.
form.querySelector("[data-copy]").hidden = !navigator.clipboard;
for (const box of boxes()) {
  update(box);
}
count();
if (current.value) {
  choose(current.value);
}
if (location.hash.length > 1) {
  // Keys are plain ASCII, so a hash that names one needs no decoding.
  const key = location.hash.slice(1);
  if (form.querySelector(`[data-row="${CSS.escape(key)}"] [data-key]`)) {
    open(key, { focus: false });
  }
}
