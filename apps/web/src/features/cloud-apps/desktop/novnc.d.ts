/// <reference types="novnc__novnc" />

/** The types are those of an older package, which exported the same class under another name. */
declare module '@novnc/novnc' {
  export { default } from '@novnc/novnc/lib/rfb';
}
