/**
 * Part of a form whose visible button is outside of it, such as in the footer of its dialog. Without a button of its own
 * a form with several fields ignores Enter.
 */
export function SubmitOnEnter() {
  return <button type="submit" hidden aria-hidden tabIndex={-1} />;
}
