export { deleteExpiredCodes } from './code-store.ts';
export { foldName } from './code.ts';
export { findPhone, parsePhone } from './parse-phone.ts';
export { sendMailCode, sendSmsCode, type SendCodeDeps, type SentCode } from './send-code.ts';
export { restoreSmsCode, useMailCode, useSmsCode, useTwoSmsCodes, type UseCodeDeps } from './use-code.ts';
