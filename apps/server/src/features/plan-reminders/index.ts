export { planReminderJob } from './remind-of-plans.ts';
