const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** How n8n can schedule polls: its environment by name. */
export const SCHEDULERS: Record<string, Record<string, string>> = {
	'by default': {},
	'with its scheduler': SCHEDULER,
	'with durable cursors': { ...SCHEDULER, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' },
};
