// A link into a folded file opens it.
function reveal() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  const file = target ? target.closest("details") : null;
  if (file && !file.open) {
    file.open = true;
    target.scrollIntoView();
  }
}

startTheme();
drawHeader();
drawFindings();
drawKernels();
drawLines();
drawSources();
window.addEventListener("hashchange", reveal);
if (location.hash.length > 1) {
  const target = document.getElementById(location.hash.slice(1));
  if (target) target.scrollIntoView();
}
