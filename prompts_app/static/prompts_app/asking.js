// What is asked of the server: the preview while somebody types, the editors of
// another group, and whether the session still stands before a page is left.

const DELAY = 300;
const PARTS = ["output", "legend", "note", "comparison", "problems"];

class SignedOut extends Error {}
class TooMuch extends Error {}

export function begin(page) {
  const { form } = page;
  const output = document.getElementById("prompts-output");
  const samples = document.getElementById("prompts-samples");
  const late = form.querySelector("[data-late]");
  const lastProblems = new Map();
  let timer = 0;
  let asking = null;

  function payload(parts, fragment) {
    const data = new FormData();
    for (const field of form.elements) {
      const skipped = !field.name || field.type === "submit" || field.disabled;
      if (!skipped && !page.typing.isUntouched(field) && !isOriginal(field)) {
        data.append(field.name, field.value);
      }
    }
    for (const part of parts) {
      data.append("parts", part);
    }
    data.set("fragment", fragment);
    return data;
  }

  function isOriginal(field) {
    return field.dataset.original !== undefined && field.value === page.typing.fold(field.dataset.original);
  }

  async function post(address, parts, { signal, fragment = page.current.value, isAgain = false } = {}) {
    const answer = await fetch(address, {
      method: "POST",
      body: payload(parts, fragment),
      signal,
      redirect: "manual",
      headers: { "X-Requested-With": "XMLHttpRequest" },
    });
    if (answer.type === "opaqueredirect") {
      throw new SignedOut();
    }
    // After signing in again in another tab the token of this page is an old one.
    if (answer.status === 403 && !isAgain && (await renewToken())) {
      return post(address, parts, { signal, fragment, isAgain: true });
    }
    // Servers in front of this one answer so too, but not in words of this page.
    if ([413, 503].includes(answer.status) && answer.headers.get("Content-Type")?.startsWith("text/plain")) {
      throw new TooMuch(await answer.text());
    }
    if (!answer.ok) {
      throw new Error(`The server answered ${answer.status}.`);
    }
    return answer;
  }

  async function renewToken() {
    const answer = await fetch(form.action, { redirect: "manual" });
    if (!answer.ok) {
      throw new SignedOut();
    }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const token = fresh.querySelector("input[name=csrfmiddlewaretoken]")?.value;
    const field = form.querySelector("input[name=csrfmiddlewaretoken]");
    const isNew = Boolean(token) && token !== field.value;
    if (isNew) {
      field.value = token;
    }
    return isNew;
  }

  function failed(error) {
    if (error.name !== "AbortError") {
      sayFailed(error);
    }
  }

  // Under the kind of failure that is said; without a save bar only the last is.
  function sayFailed(error) {
    const kinds = [[form.querySelector("[data-signed-out]"), SignedOut], [form.querySelector("[data-too-much]"), TooMuch]];
    late.hidden = !error;
    for (const [said, kind] of kinds) {
      if (said) {
        said.hidden = !(error instanceof kind);
        late.hidden ||= !said.hidden;
      }
    }
    const tooMuch = kinds[1][0];
    if (tooMuch && !tooMuch.hidden) {
      tooMuch.textContent = error.message;
    }
  }

  const answered = () => sayFailed(null);

  function refreshSoon() {
    clearTimeout(timer);
    timer = setTimeout(refresh, DELAY);
  }

  async function refresh({ withSamples = false } = {}) {
    clearTimeout(timer);
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    const parts = withSamples ? [...PARTS, "samples"] : PARTS;
    const fragment = page.current.value;
    const text = page.boxOf(fragment)?.value;
    try {
      const answer = await post(form.dataset.preview, parts, { signal: mine.signal, fragment });
      const told = await answer.json();
      if (asking === mine) {
        answered();
        show(told, fragment, text);
      }
    } catch (error) {
      if (asking === mine) {
        failed(error);
      }
    }
  }

  function show(told, fragment, text) {
    const prompt = output.querySelector(".prompts-prompt");
    const top = prompt?.scrollTop ?? 0;
    const open = new Map(folds().map((fold) => [fold.dataset.fold, fold.open]));
    output.innerHTML = told.output;
    const fresh = output.querySelector(".prompts-prompt");
    if (fresh && fresh.dataset.form === prompt?.dataset.form) {
      fresh.scrollTop = top;
    }
    for (const fold of folds()) {
      fold.open = open.get(fold.dataset.fold) ?? fold.open;
    }
    if (told.samples !== undefined) {
      const wasOpen = samples.querySelector(".prompts-fold")?.open ?? false;
      samples.innerHTML = told.samples;
      samples.querySelector(".prompts-fold").open = wasOpen;
    }
    showInEditor(told, fragment, text);
    sayPlaces(told.places);
    sayStale(told.etags);
    markPassage();
  }

  const folds = () => [...output.querySelectorAll("[data-fold]")];

  // Of the fragment that was asked about, which need not be in view any more.
  function showInEditor(told, fragment, text) {
    const editor = page.editorOf(fragment);
    if (editor) {
      editor.querySelector("[data-legend]").innerHTML = told.legend;
      editor.querySelector("[data-note]").innerHTML = told.note;
      editor.querySelector("[data-comparison]").innerHTML = told.comparison;
      sayProblems(editor, told.problems);
      editor.querySelector("[data-tokens]").textContent = told.tokens && ` · ${told.tokens}`;
      page.writing.tell(page.boxOf(fragment), text, told.marks);
    }
  }

  // Set only where it is new, since a screen reader reads out whatever is set.
  function sayProblems(editor, problems) {
    if (lastProblems.get(editor) !== problems) {
      lastProblems.set(editor, problems);
      const list = editor.querySelector("[data-problems]");
      list.innerHTML = problems;
      page.typing.markFaulty(page.boxOf(editor.dataset.editor), Boolean(list.querySelector(".is-error")));
    }
  }

  function sayPlaces(places) {
    const count = Object.keys(places).length;
    for (const editor of form.querySelectorAll("[data-editor]")) {
      const said = editor.querySelector("[data-passage]");
      const number = places[editor.dataset.editor];
      const isSaid = said.querySelector("a")?.textContent.trim() ?? "";
      const words = page.speaking.say("passage", { number, count });
      if (!number && isSaid) {
        said.replaceChildren(page.speaking.say("gone"));
      } else if (number && isSaid !== words) {
        const link = document.createElement("a");
        link.href = `#passage:${editor.dataset.editor}`;
        link.textContent = words;
        said.replaceChildren(link);
      }
    }
  }

  function sayStale(etags) {
    for (const [key, etag] of Object.entries(etags)) {
      const editor = page.editorOf(key);
      if (editor) {
        const mine = editor.querySelector(`input[name="etag:${CSS.escape(key)}"]`);
        editor.querySelector("[data-stale]").hidden = mine.value === etag;
      }
    }
  }

  function markPassage() {
    for (const passage of output.querySelectorAll("[data-passage-of]")) {
      const isCurrent = passage.dataset.passageOf === page.current.value;
      passage.classList.toggle("is-current", isCurrent);
    }
  }

  function scrollPrompt(key) {
    const prompt = output.querySelector(".prompts-prompt");
    const passage = document.getElementById(`passage:${key}`);
    if (prompt && passage && prompt.scrollHeight > prompt.clientHeight) {
      prompt.scrollTop = passage.offsetTop - prompt.offsetTop - 8;
    } else {
      passage?.scrollIntoView({ block: "nearest" });
    }
  }

  // The page is left for the review only while the session stands, since a sign-in
  // page in between would take the texts away.
  form.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (!button?.matches("[data-review], [data-compare]") || button.dataset.asked !== undefined) {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    try {
      await post(form.dataset.preview, []);
      answered();
      button.dataset.asked = "";
      form.requestSubmit(button);
      delete button.dataset.asked;
    } catch (error) {
      failed(error);
    }
  }, { capture: true });

  return {
    editors: async (fragment) => (await post(form.dataset.editors, [], { fragment })).text(),
    list: async (signal) => (await post(form.dataset.preview, ["list"], { signal })).json(),
    failed,
    isOriginal,
    markPassage,
    rawText: () => JSON.parse(document.getElementById("prompts-raw")?.textContent ?? '""'),
    refresh,
    refreshSoon,
    scrollPrompt,
  };
}
