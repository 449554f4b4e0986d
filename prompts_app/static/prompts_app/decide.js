// Three texts: a card puts its text into the result, through the browser's undo.

const form = document.getElementById("prompts-decide");
const result = document.getElementById("prompts-result");

const { replace } = await import(form.dataset.inserting);

form.addEventListener("change", (event) => {
  if (event.target.matches("input[name=choice]")) {
    const card = event.target;
    replace(result, card.dataset.text);
    card.focus();
  }
});

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    form.querySelector("[name=_decided]").click();
  }
});
