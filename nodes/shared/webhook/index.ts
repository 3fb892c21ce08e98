/** Receives a webhook: signature, envelope, age, repeats, and the items made of an event. Knows no node's parameters. */
export * from './deliveryMemory';
export * from './eventItem';
export * from './fullConversation';
export * from './judgeDelivery';
export * from './receiverSecrets';
export * from './refusals';
export * from './signature';
