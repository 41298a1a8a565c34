export { ensureWelcomeMapping, type WelcomePage } from './ensure-welcome-mapping.ts';
