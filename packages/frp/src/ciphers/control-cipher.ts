/** Encrypts what we send on the control stream after the login, and decrypts what comes, cut anywhere. */
export type ControlCipher = {
  seal(plain: Buffer): Buffer;
  /** Throws FrpError. */
  open(sealed: Buffer): Buffer;
};

export type CipherSide = 'client' | 'server';
