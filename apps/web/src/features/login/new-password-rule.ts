import { fieldMessages } from '@tongtu/contract/field-messages';
import { passwordWeakness } from '@tongtu/contract/password-weakness';

/** A form's rule for a new password, the same as the server's. `own` are the known names of the user. */
export function newPasswordRule(own: () => readonly string[]) {
  return {
    async validator(_rule: unknown, password: string | undefined): Promise<void> {
      const weakness = passwordWeakness(password ?? '', own());
      if (weakness !== undefined) throw new Error(fieldMessages[weakness].zh);
    },
  };
}
