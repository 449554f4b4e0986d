// Typed texts are kept in this browser until they are saved, discarded, thrown away
// or a week old, so that a crash or an expired session takes nothing.

const DELAY = 300;
const DAYS = 7;

// How the names of the drafts begin that belong to the page and scope of a form.
function prefixOf(form) {
  const place = new URL(form.dataset.place ?? form.action, location.href).pathname;
  const scope = form.querySelector("input[name=scope]").value;
  return `prompts_app:${place}:${form.dataset.user}:${scope}:`;
}

// For the pages between typing and saving, which have no editors.
export function keepDraft(form, key, text, etag) {
  try {
    localStorage.setItem(prefixOf(form) + key, JSON.stringify({ text, etag, at: Date.now() }));
  } catch {
    return;
  }
}

export function forgetDrafts(form, keys) {
  try {
    for (const key of keys) {
      localStorage.removeItem(prefixOf(form) + key);
    }
  } catch {
    return;
  }
}

export function begin(page) {
  const { form } = page;
  const prefix = prefixOf(form);
  const timers = new Map();

  function keepSoon(box) {
    const key = page.typing.keyOf(box);
    clearTimeout(timers.get(key));
    timers.set(key, setTimeout(() => keep(box), DELAY));
  }

  function keep(box) {
    const key = page.typing.keyOf(box);
    // Who decides to leave a text as it is has not typed anything.
    const { fold, isChanged } = page.typing;
    if (!isChanged(box) || fold(box.value) === fold(box.dataset.saved)) {
      forget([key]);
      return;
    }
    const etag = form.querySelector(`input[name="etag:${CSS.escape(key)}"]`).value;
    const draft = { text: page.typing.fold(box.value), etag, at: Date.now() };
    page.keep(prefix + key, JSON.stringify(draft));
  }

  function forget(keys) {
    for (const key of keys) {
      clearTimeout(timers.get(key));
      page.keep(prefix + key, null);
    }
  }

  function read() {
    const names = page.keptNames().filter((name) => name.startsWith(prefix));
    const drafts = names.map((name) => [name.slice(prefix.length), parsed(page.kept(name))]);
    return new Map(drafts.filter(([, draft]) => draft));
  }

  // Anything of this address may write there, so what cannot be read is passed over.
  function parsed(json) {
    try {
      const draft = JSON.parse(json);
      return typeof draft?.text === "string" && Number.isFinite(draft.at) ? draft : null;
    } catch {
      return null;
    }
  }

  function forgetOld(drafts) {
    const oldest = Date.now() - DAYS * 24 * 60 * 60 * 1000;
    const saved = document.querySelector(".messagelist .prompts-saved")?.classList;
    for (const [key, draft] of drafts) {
      const box = page.boxOf(key);
      const isSaved = saved?.contains(key) || (box && page.typing.fold(box.dataset.saved) === draft.text);
      if (draft.at < oldest || isSaved) {
        forget([key]);
        drafts.delete(key);
      }
    }
  }

  // Offer what was typed and is neither saved nor on this page.
  function offer() {
    const drafts = read();
    forgetOld(drafts);
    const here = new Set(page.typing.changedKeys());
    const isListed = (key) => page.rowOf(key) || page.finding.isNarrowed();
    const lost = [...drafts].filter(([key]) => !here.has(key) && isListed(key));
    const place = form.querySelector("[data-drafts]");
    if (!lost.length || !place || !form.querySelector(".prompts-bar")) {
      return;
    }
    place.hidden = false;
    page.showPart("editor");
    form.querySelector("[data-no-decision]")?.remove();
    const newest = Math.max(...lost.map(([, draft]) => draft.at));
    const date = new Date(newest).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
    place.querySelector("[data-said]").textContent = page.speaking.counted("drafts", lost.length, { date });
    place.querySelector("[data-names]").textContent = lost.map(([key]) => page.typing.labelOf(key)).join(", ");
    place.querySelector("[data-back]").onclick = () => bringBack(lost, place);
    place.querySelector("[data-away]").onclick = () => throwAway(lost, place);
  }

  async function bringBack(lost, place) {
    place.hidden = true;
    for (const [key, draft] of lost) {
      const box = await page.fetchEditor(key);
      if (box && !box.readOnly) {
        await page.open(key);
        form.querySelector(`input[name="etag:${CSS.escape(key)}"]`).value = draft.etag;
        page.typing.replace(box, draft.text);
      }
    }
  }

  function throwAway(lost, place) {
    const dialog = document.getElementById("prompts-throw");
    dialog.onclose = () => {
      if (dialog.returnValue === "throw") {
        forget(lost.map(([key]) => key));
        place.hidden = true;
      }
    };
    dialog.returnValue = "";
    dialog.showModal();
  }

  return { forget, keepSoon, offer };
}
