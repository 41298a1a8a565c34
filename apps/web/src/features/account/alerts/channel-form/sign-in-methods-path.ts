import { paths, withQuery } from '../../../../routing/paths.ts';

/** Where the user binds an e-mail address. */
export const signInMethodsPath = withQuery(paths.userInfo, { section: 'sign-in-methods' });
