import { fireEvent } from '@testing-library/react';

/** Fields that keep a form without a submit button from being submitted, as far as our forms have them. */
const blockingFields = 'input:not([type=radio], [type=checkbox], [type=hidden])';

/** What browsers do on Enter in a text field: the HTML standard's implicit submission, which happy-dom lacks. */
export function pressEnter({ form }: HTMLInputElement): void {
  const button = form?.querySelector('button[type=submit]');
  if (button) fireEvent.click(button);
  else if (form && form.querySelectorAll(blockingFields).length === 1) fireEvent.submit(form);
}
