// The review: the button says how many changes are ticked, and Ctrl+S saves them.

const form = document.getElementById("prompts-review");
const save = form.querySelector("[data-save]");
const ticks = () => [...form.querySelectorAll("input[name=take]")];

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    if (!save.disabled) {
      save.click();
    }
  }
});

// Enter in the field for the reason saves nothing: the first button is hidden there.
form.querySelector("#prompts-comment").addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
  }
});

// Imported by the addresses that the page gives, as there.
const modules = [form.dataset.speaking, form.dataset.drafts];
const [{ speaker }, { keepDraft }] = await Promise.all(modules.map((address) => import(address)));
const speaking = speaker(form.dataset.words);

function count() {
  const number = ticks().filter((tick) => tick.checked).length;
  save.textContent = speaking.counted("save", number);
  save.disabled = number === 0;
}

form.addEventListener("change", count);

// A text that was decided on and not typed on the page has no draft yet.
for (const text of form.querySelectorAll("[data-draft]:not([data-kept])")) {
  const key = text.dataset.draft;
  keepDraft(form, key, text.value, form.querySelector(`input[name="etag:${CSS.escape(key)}"]`).value);
}

count();
document.documentElement.dataset.promptsReady = "";
