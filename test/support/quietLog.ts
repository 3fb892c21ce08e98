/** What nodes log on purpose must not bury a failure; `N8N_LOG_LEVEL=info` shows it. */
process.env.N8N_LOG_LEVEL ??= 'silent';

export {};
