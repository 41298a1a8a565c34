/** Certificates that the operator keeps as files: single pairs, and a folder of `NAME.crt` or `NAME.pem` with `NAME.key`. */
export type CertificatePaths = { pairs: readonly PairPaths[]; folder: string | undefined };
export type PairPaths = { cert: string; key: string };
