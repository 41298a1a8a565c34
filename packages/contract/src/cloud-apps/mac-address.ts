/** For the browser, which loads no library for it. */
export { readMacAddress } from '@tongtu/base/mac-address';
