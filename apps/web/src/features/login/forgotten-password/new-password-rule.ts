import { fieldMessages } from '@tongtu/contract/field-messages';
import { passwordWeakness } from '@tongtu/contract/password-weakness';

/** What is wrong with a new password, by the server's own rule. `own` are the known names of the user. */
export function newPasswordProblem(password: string, own: readonly string[]): string | undefined {
  const weakness = passwordWeakness(password, own);
  return weakness === undefined ? undefined : fieldMessages[weakness].zh;
}

/** The same as a rule of Ant Design's forms. */
export function newPasswordRule(own: () => readonly string[]) {
  return {
    async validator(_rule: unknown, password: string | undefined): Promise<void> {
      const problem = newPasswordProblem(password ?? '', own());
      if (problem !== undefined) throw new Error(problem);
    },
  };
}
