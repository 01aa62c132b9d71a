// Light or dark: as the system has it until the button is pressed; then as the reader chose, also the next time.
function startTheme() {
  const button = document.getElementById("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("teamsan-theme");
  } catch (error) {
    // Some browsers keep nothing for files: the system's choice it is.
  }
  function show() {
    const dark = chosen === null ? system.matches : chosen === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    button.textContent = dark ? "Light theme" : "Dark theme";  // what a press does
  }
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("teamsan-theme", chosen);
    } catch (error) {
      // It holds for this page only.
    }
    show();
  });
  system.addEventListener("change", show);
  window.addEventListener("beforeprint", () => { document.documentElement.dataset.theme = "light"; });
  window.addEventListener("afterprint", show);
  show();
}
