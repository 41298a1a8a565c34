import packageFile from '../package.json' with { type: 'json' };

export const AGENT_VERSION = packageFile.version;
