// The files of a worker share one window, so each starts with empty storage and an empty document.
if ('document' in globalThis) {
  sessionStorage.clear();
  localStorage.clear();
  document.body.replaceChildren();
  window.history.replaceState(null, '', '/');
}
