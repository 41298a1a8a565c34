// The files of a worker share a page: each begins on one that nothing has been left on.
if ('document' in globalThis) {
  sessionStorage.clear();
  localStorage.clear();
  document.body.replaceChildren();
  window.history.replaceState(null, '', '/');
}
