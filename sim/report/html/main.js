// A link leads to its target also where that is folded, or not on the page yet.
function reveal() {
  const id = location.hash.slice(1);
  if (id === "") return;
  if (document.getElementById(id) === null && id.startsWith("finding-")) showAllFindings();
  const target = document.getElementById(id);
  if (target === null) return;
  const file = target.closest("details");
  if (file !== null) file.open = true;
  target.scrollIntoView();
}

startTheme();
drawHeader();
drawFindings();
drawKernels();
drawLines();
drawSources();
window.addEventListener("hashchange", reveal);
reveal();
