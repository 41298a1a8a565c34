import { paths, withQuery } from '../../../paths.ts';

/** Where an address is bound. */
export const signInMethodsPath = withQuery(paths.userInfo, { section: 'ways-in' });
