import { encodeDer } from '../../encoding/der.ts';

/** As IronRDP sends it (RDCleanPath): version, destination, token, X.224 message. */
export function cleanPathRequest(x224: Buffer): Buffer {
  const field = (number: number, content: Buffer) => encodeDer(0xa0 + number, content);
  return encodeDer(
    0x30,
    Buffer.concat([
      field(0, encodeDer(2, Buffer.of(0x0d, 0x3e))),
      field(2, encodeDer(0x0c, Buffer.from('203.0.113.9:3389'))),
      field(3, encodeDer(0x0c, Buffer.from('token'))),
      field(6, encodeDer(4, x224)),
    ]),
  );
}

/** X.224 connection request with the security protocols that the client speaks (MS-RDPBCGR 2.2.1.1). */
export function connectionRequest(protocols: number): Buffer {
  const request = Buffer.from('030000130ee000000000000100080000000000', 'hex');
  request.writeUInt32LE(protocols, 15);
  return request;
}

/** An RDP message in its TPKT frame (RFC 1006), after the header of X.224 data. */
export function tpkt(body: Buffer): Buffer {
  const head = Buffer.from([3, 0, 0, 0, 2, 0xf0, 0x80]);
  head.writeUInt16BE(head.length + body.length, 2);
  return Buffer.concat([head, body]);
}

/** MCS Connect Initial with a client core data block, which asks for 16 bit colour. */
export function connectInitial(): Buffer {
  const core = Buffer.alloc(216, 0x11);
  core.writeUInt16LE(0xc0_01, 0);
  core.writeUInt16LE(core.length, 2);
  core.writeUInt16LE(16, 140);
  return tpkt(Buffer.concat([Buffer.from([0x7f, 0x65, 0x82, 1, 0x20]), Buffer.alloc(60, 0x22), core]));
}

/** Client Info with these flags (MS-RDPBCGR 2.2.1.11). */
export function clientInfo(flags: number): Buffer {
  const info = Buffer.alloc(32, 0x33);
  info.writeUInt16LE(0x40, 0); // SEC_INFO_PKT
  info.writeUInt16LE(0, 2);
  info.writeUInt32LE(flags, 8);
  return tpkt(Buffer.concat([Buffer.from([0x64, 0, 6, 3, 0xeb, 0x70, info.length]), info]));
}
