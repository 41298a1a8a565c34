export type TicketRedemption = {
  ticket: string;
  host: string;
  visitorIp: string;
  userAgent: string;
  /** What the browser has proven already: by the same share link it is no other browser. */
  verificationId?: number;
};
