// Before another scope is shown: what is discarded is not offered again.

const form = document.getElementById("prompts-leave");
const { forgetDrafts } = await import(form.dataset.drafts);

form.querySelector("[data-discard]").addEventListener("click", () => {
  const texts = [...form.querySelectorAll("[data-draft]")];
  forgetDrafts(form, texts.map((text) => text.dataset.draft));
});
