const list = (names: string) => names.trim().split(/\s+/);

/** The keys of D1's tables, copied from the document instead of the code. */
export const documentedKeys = {
	conversation:
		list(`conversationId recordingId date processedDate title duration crmEventID user transcriptUrl
		jobNumber stLink totalSold outcome jobSummary customSummary repSpeedWPM repTalkRatio longestRepMonologue
		longestCustomerMonologue totalComments serviceUrl audioUrl viewers checklists aiTrackers customFields customer
		surveyResults`),
	user: list('id name email'),
	viewer: list('userId name viewCount totalViewTimeMs'),
	checklist: list('name checklistName score checklistScore denominator checklistDenominator trackerData'),
	tracker: list('trackerId name trackerName isHit trackerIsHit aiScore trackerAiScore'),
	aiTracker: list('checklistName trackerId trackerName isHit aiScore'),
	customer: list('name email phone address'),
	address: list('street unit city state zip country'),
	survey: list('surveyId surveyName data'),
	recording: list(
		'recordingId date title duration crmEventID user jobNumber stLink totalSold outcome customFields',
	),
	errored:
		list(`recordingId date title duration crmEventID user jobNumber stLink totalSold outcome customFields
		processedDate error`),
	team: list(`name teamId externalTeamId parentTeamId parentTeamName analyticsViewed appointmentsRecorded
		averageConversationDuration averageConversationLength clipCommentsGiven clipsCreated clipViewDuration commentsGiven
		commentsRead commentsReceived conversationViewDuration conversationsCommentedOn conversationsRecorded
		conversationsViewed longestCustomerMonologueAverage longestMonologueAverage patienceAverage recordingCompliance
		ridealongsReceived scorecardsGiven scorecardsReceived talkRatioAverage totalAppointments totalUsersWhoRecorded
		totalUsers`),
	userRow:
		list(`userId name email accountSetUp isRemoved role teams timeOfFirstRecording lastActive hasVoiceId
		analyticsViewed appointmentsRecorded averageConversationDuration averageConversationLength averageScriptCompliance
		averageTimePerRidealong clipCommentsGiven clipsCreated clipViewDuration commentsReceived commentsRead commentsGiven
		conversationsCommentedOn conversationsRecorded conversationsViewed conversationViewDuration lastRidealongAt
		longestMonologueAverage longestCustomerMonologueAverage patienceAverage percentageOfRepsWithCommentsGiven
		recordingCompliance ridealongsReceived scorecardsReceived scorecardsGiven talkRatioAverage totalAppointments
		totalEndOfRidealongsReached totalRidealongsCompleted viewedRecordedRatio liveCoaching`),
	liveCoaching: list(`sessionsHosted viewEventsReceived uniqueViewers viewDurationMinutes commentsReceived
		uniqueCommenters moneySaved lastCoachedAt`),
};

/** Fields that can be null. The generated data has a null for each of them. */
export const nullableKeys = {
	conversation: list(`title crmEventID jobNumber stLink totalSold outcome jobSummary customSummary repSpeedWPM
		repTalkRatio longestRepMonologue longestCustomerMonologue customFields customer`),
	recording: list('title crmEventID jobNumber stLink totalSold outcome customFields'),
	errored: list('title crmEventID jobNumber stLink totalSold outcome customFields processedDate'),
	customer: list('name email phone'),
	address: list('street unit city state zip country'),
	tracker: list('isHit trackerIsHit aiScore trackerAiScore'),
	team: list('externalTeamId parentTeamId parentTeamName'),
	userRow:
		list(`name role teams timeOfFirstRecording lastActive appointmentsRecorded averageConversationDuration
		averageConversationLength averageScriptCompliance averageTimePerRidealong lastRidealongAt
		longestMonologueAverage longestCustomerMonologueAverage patienceAverage percentageOfRepsWithCommentsGiven
		recordingCompliance talkRatioAverage viewedRecordedRatio`),
};
