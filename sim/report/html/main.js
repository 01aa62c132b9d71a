// A link leads to its target also where that is folded, or filtered out.
function reveal() {
  const id = location.hash.slice(1);
  if (id === "") return;
  const target = document.getElementById(id);
  if (target === null) return;
  if (target.closest("[hidden]") !== null) clearFilters();
  for (let fold = target.closest("details"); fold !== null; fold = fold.parentElement.closest("details")) fold.open = true;
  target.scrollIntoView();
  if (target.classList.contains("finding")) target.focus({preventScroll: true});  // where the next Tab goes on
}

startTheme();
drawHeader();
drawFindings();
drawKernels();
drawLines();
drawSources();
window.addEventListener("hashchange", reveal);
reveal();
