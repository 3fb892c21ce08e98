/** The contract: one schema per object of the documents; every TypeScript type is inferred from its schema. */
export * from './appointment';
export * from './checklist';
export * from './conversation';
export * from './conversationCustomer';
export * from './conversationsExportResponse';
export * from './matchRequest';
export * from './recording';
export * from './recordingUser';
export * from './requests';
export * from './surveyConversationResult';
export * from './team';
export * from './user';
export * from './viewer';
export * from './webhookEnvelope';
