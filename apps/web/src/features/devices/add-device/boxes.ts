/** What a device is, as its owner would say. */
export const boxes = ['openwrt', 'nas', 'linux', 'docker', 'windows', 'macos', 'frpc'] as const;
export type Box = (typeof boxes)[number];

export const nasBrands = ['synology', 'qnap', 'fnos', 'unraid'] as const;
export type NasBrand = (typeof nasBrands)[number];

/** What connects the device. */
export type Program = 'agent' | 'frpc';

/** What the instructions have shown, from when on the server may hear from the device. */
export type Shown = {
  program: Program;
  /** Where the device connects: host and port. */
  address: string;
};
