import { paths, withQuery } from '../../../paths.ts';

/** Where an address is bound. */
export const waysIn = withQuery(paths.userInfo, { section: 'ways-in' });
