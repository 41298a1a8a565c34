export { registerDiagnosisRoutes } from './diagnosis-routes.ts';
