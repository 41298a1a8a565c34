export { announceDeviceChange, announceDeviceList } from './announce.ts';
