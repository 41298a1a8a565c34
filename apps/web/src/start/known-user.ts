const key = 'tongtu.was-in';

/** Notes that somebody is logged in, so that the next visit loads the console's files at once. */
export function noteUser(isLoggedIn: boolean): void {
  try {
    if (isLoggedIn) localStorage.setItem(key, '1');
    else localStorage.removeItem(key);
  } catch {
    return; // storage may be forbidden; then the files are loaded after the first reply
  }
}
