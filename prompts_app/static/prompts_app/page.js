// The page works without this file. With it there is one editor at a time, a
// preview that follows the typing, and insertion at the caret. The server does the
// work: nothing here knows what a reference, a gate or a prompt is.
//
// The parts are imported by the addresses that the page gives, since a storage that
// puts hashes into names does not rewrite imports.

const form = document.getElementById("prompts-form");
const PARTS = ["inserting", "speaking", "typing", "writing", "asking", "choosing", "finding", "drafts", "keys"];

// What the page began with instead of an editor, so that Back can lead there.
const first = {
  view: form.querySelector("#prompts-start, #prompts-orphan"),
  key: form.querySelector("input[name=fragment]").value,

  toggle(isShown) {
    first.view?.toggleAttribute("hidden", !isShown);
    document.getElementById("prompts-variables")?.toggleAttribute("hidden", isShown);
  },

  comeBack() {
    page.wanted = first.key;
    page.current.value = first.key;
    first.toggle(true);
    page.show(first.key);
    page.showPart(first.key ? "editor" : "list");
  },
};

const page = {
  form,
  current: form.querySelector("input[name=fragment]"),
  scope: form.querySelector("input[name=scope]").value,
  wanted: "",
  leaving: false,

  editorOf(key) {
    return form.querySelector(`[data-editor="${CSS.escape(key)}"]`);
  },

  boxOf(key) {
    return page.editorOf(key)?.querySelector("textarea[data-saved]");
  },

  rowOf(key) {
    return form.querySelector(`[data-row="${CSS.escape(key)}"]`);
  },

  // Bring the editor of a fragment to the page, from the server if it is not there.
  async fetchEditor(key) {
    if (!page.editorOf(key)) {
      try {
        page.addEditors(await page.asking.editors(key));
      } catch (error) {
        page.asking.failed(error);
      }
    }
    return page.boxOf(key);
  },

  addEditors(html) {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    for (const editor of parsed.querySelectorAll("[data-editor]")) {
      const key = editor.dataset.editor;
      if (!page.editorOf(key)) {
        // Which one is in view is decided when all have come.
        editor.removeAttribute("data-current");
        document.getElementById("prompts-editors").append(document.adoptNode(editor));
        form.querySelector(`[data-carried="${CSS.escape(key)}"]`)?.remove();
        page.typing.update(page.boxOf(key));
      }
    }
  },

  async open(key, { focus = true, isNew = true, scroll = true } = {}) {
    page.wanted = key;
    const box = await page.fetchEditor(key);
    // Another fragment may have been chosen while this one was on its way.
    if (!box || page.wanted !== key) {
      return;
    }
    const isOther = page.current.value !== key;
    page.current.value = key;
    first.toggle(false);
    page.show(key, scroll);
    if (isNew) {
      page.keepAddress({ fragment: key }, { hash: key, isStep: isOther });
    }
    if (focus) {
      page.showPart("editor");
      box.focus({ preventScroll: true });
    }
  },

  show(key, scroll = true) {
    for (const editor of form.querySelectorAll("[data-editor]")) {
      editor.toggleAttribute("data-current", editor.dataset.editor === key);
    }
    page.markRow(key);
    page.asking.markPassage();
    if (scroll) {
      page.asking.scrollPrompt(key);
    }
  },

  markRow(key) {
    for (const link of form.querySelectorAll("[data-row] > [aria-current]")) {
      link.removeAttribute("aria-current");
    }
    const row = page.rowOf(key);
    row?.closest("details").setAttribute("open", "");
    row?.querySelector("[data-key], [data-leave]")?.setAttribute("aria-current", "true");
    row?.scrollIntoView({ block: "nearest" });
  },

  // The address leads back to what is seen; null takes a part out of it.
  keepAddress(parts, { hash = "", isStep = false } = {}) {
    const address = new URL(location.href);
    // A page that a refused save was answered with has another path.
    address.pathname = new URL(form.action).pathname;
    for (const [name, value] of Object.entries(parts)) {
      if (value === null) {
        address.searchParams.delete(name);
      } else {
        address.searchParams.set(name, value);
      }
    }
    if (hash) {
      address.hash = hash;
    }
    history[isStep ? "pushState" : "replaceState"](null, "", address);
  },

  // What a browser may refuse to keep is not kept; the page works without.
  kept(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },

  keep(name, value) {
    try {
      if (value === null) {
        localStorage.removeItem(name);
      } else {
        localStorage.setItem(name, value);
      }
    } catch {
      return;
    }
  },

  keptNames() {
    try {
      return Object.keys(localStorage);
    } catch {
      return [];
    }
  },

  // On a narrow screen one part is shown at a time.
  showPart(part) {
    form.dataset.part = part;
    for (const link of document.querySelectorAll("[data-part]")) {
      if (link !== form) {
        link.toggleAttribute("data-shown", link.dataset.part === part);
      }
    }
  },
};

const clicks = {
  "[data-key]": (link) => page.open(link.dataset.key),
  "[data-insert]": (button) => page.typing.insertVariable(button),
  "button[name=_restore]": (button) => page.typing.restore(button.value),
  "button[name=_off]": (button) => page.typing.switchOff(button.value),
  "button[name=_scenario]": (button) => page.choosing.playScenario(button.value),
  "[data-samples]": () => page.choosing.resetSamples(),
  "[data-line]": (button) => page.typing.goToLine(button),
  "[data-filter]": (button) => page.finding.narrow(button.dataset.filter),
  "[data-clear]": () => page.finding.clear(),
  "[data-again]": () => page.asking.refresh(),
  "[data-copy]": (button) => copy(button, page.asking.rawText()),
  "[data-copy-key]": (button) => copy(button, button.dataset.copyKey),
  // What is under the pointer stays there, and words can be selected to be copied.
  "[data-passage-of]:has([data-key])": (passage) => {
    if (getSelection().isCollapsed) {
      page.open(passage.dataset.passageOf, { scroll: false });
    }
  },
  "a[href^='#passage:']": (link) => {
    page.showPart("preview");
    page.asking.scrollPrompt(link.hash.slice("#passage:".length));
  },
};

async function copy(button, text) {
  await navigator.clipboard.writeText(text);
  const words = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => Object.assign(button, { textContent: words }), 2000);
}

form.addEventListener("click", (event) => {
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
  for (const [selector, act] of Object.entries(clicks)) {
    const found = event.target.closest(selector);
    if (found && plain) {
      event.preventDefault();
      act(found);
      return;
    }
  }
});

document.querySelector(".prompts-jumps").addEventListener("click", (event) => {
  const link = event.target.closest("[data-part]");
  if (link) {
    event.preventDefault();
    page.showPart(link.dataset.part);
  }
});

// Fields of texts that nobody touched stay at home.
form.addEventListener("submit", () => {
  page.leaving = true;
  for (const field of form.elements) {
    if (page.typing.isUntouched(field)) {
      field.disabled = true;
    }
  }
});

window.addEventListener("popstate", () => {
  const key = new URL(location.href).searchParams.get("fragment") ?? "";
  if (first.view && key === first.key) {
    first.comeBack();
  } else if (key !== page.current.value) {
    page.open(key, { isNew: false });
  }
});

window.addEventListener("pageshow", () => {
  page.leaving = false;
  for (const field of form.elements) {
    if (/^(text|etag|shown):/.test(field.name)) {
      field.disabled = false;
    }
  }
});

window.addEventListener("beforeunload", (event) => {
  if (!page.leaving && page.typing.changedKeys().length) {
    event.preventDefault();
  }
});

const parts = await Promise.all(PARTS.map((name) => import(form.dataset[name])));
for (const [number, name] of PARTS.entries()) {
  page[name] = parts[number].begin(page);
}

document.documentElement.classList.add("prompts-scripted");
page.typing.updateAll();
page.showPart(page.current.value || form.querySelector(".prompts-decision") ? "editor" : "list");
if (page.current.value && page.editorOf(page.current.value)) {
  page.show(page.current.value);
} else if (page.current.value) {
  page.markRow(page.current.value);
}
// Keys are plain ASCII, so a hash that names one needs no decoding.
const linked = location.hash.slice(1);
if (page.rowOf(linked)?.querySelector("[data-key]")) {
  page.open(linked, { focus: false });
}
// After a refusal the caret stands where something has to be corrected.
const faulty = form.querySelector("[data-editor][data-current]:has(.is-faulty)");
if (faulty) {
  const line = faulty.querySelector("[data-line]");
  if (line) {
    page.typing.goToLine(line);
  } else {
    faulty.querySelector(".is-faulty").focus();
  }
}
page.drafts.offer();
// What came back from the review or a decision may differ from what was typed here.
page.typing.boxes().filter(page.typing.isChanged).forEach(page.drafts.keepSoon);
// In a low window the prompt needs the room.
if (window.innerHeight < 760) {
  form.querySelector(".prompts-out")?.removeAttribute("open");
}
// Browsers keep the clipboard from pages that came without encryption.
if (!navigator.clipboard) {
  form.toggleAttribute("data-no-clipboard", true);
}
document.documentElement.dataset.promptsReady = "";
