export { ensureWelcomeMapping } from './ensure-welcome-mapping.ts';
