// Three texts: a card puts its text into the result, through the browser's undo.

const form = document.getElementById("prompts-decide");
const result = document.getElementById("prompts-result");

const { replace } = await import(form.dataset.inserting);
const { forgetDrafts, keepDraft } = await import(form.dataset.drafts);

form.addEventListener("change", (event) => {
  if (event.target.matches("input[name=choice]")) {
    const card = event.target;
    replace(result, card.dataset.text);
    card.focus();
  }
});

// What is written here is as safe as what is typed on the page.
function keep() {
  const { value } = form.querySelector("[name=_decided]");
  keepDraft(form, value, result.value, form.querySelector("[name=settles]").value);
}

result.addEventListener("input", keep);
// Who is quick has written something before this script came.
if (result.value !== result.defaultValue) {
  keep();
}

// Who takes the other text has given up the own one.
form.addEventListener("submit", (event) => {
  const theirs = form.querySelector("input[value=theirs]");
  const isDecided = event.submitter?.name === "_decided";
  if (isDecided && theirs.checked && result.value === theirs.dataset.text) {
    forgetDrafts(form, [event.submitter.value]);
  }
});

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    form.querySelector("[name=_decided]").click();
  }
});
