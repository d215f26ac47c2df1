#pragma once

#include <cstdint>

/// Packet ids of protocol 775 (26.1), by the game's names. Written by `common/game/generate`; do not edit.
namespace horizon::protocol::v775::handshake::clientbound {
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 0;
}  // namespace horizon::protocol::v775::handshake::clientbound

namespace horizon::protocol::v775::handshake::serverbound {
inline constexpr std::int32_t kIntention = 0x00;
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 1;
}  // namespace horizon::protocol::v775::handshake::serverbound

namespace horizon::protocol::v775::status::clientbound {
inline constexpr std::int32_t kStatusResponse = 0x00;
inline constexpr std::int32_t kPongResponse = 0x01;
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 2;
}  // namespace horizon::protocol::v775::status::clientbound

namespace horizon::protocol::v775::status::serverbound {
inline constexpr std::int32_t kStatusRequest = 0x00;
inline constexpr std::int32_t kPingRequest = 0x01;
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 2;
}  // namespace horizon::protocol::v775::status::serverbound

namespace horizon::protocol::v775::login::clientbound {
inline constexpr std::int32_t kLoginDisconnect = 0x00;
inline constexpr std::int32_t kHello = 0x01;
inline constexpr std::int32_t kLoginFinished = 0x02;
inline constexpr std::int32_t kLoginCompression = 0x03;
inline constexpr std::int32_t kCustomQuery = 0x04;
inline constexpr std::int32_t kCookieRequest = 0x05;
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 6;
}  // namespace horizon::protocol::v775::login::clientbound

namespace horizon::protocol::v775::login::serverbound {
inline constexpr std::int32_t kHello = 0x00;
inline constexpr std::int32_t kKey = 0x01;
inline constexpr std::int32_t kCustomQueryAnswer = 0x02;
inline constexpr std::int32_t kLoginAcknowledged = 0x03;
inline constexpr std::int32_t kCookieResponse = 0x04;
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 5;
}  // namespace horizon::protocol::v775::login::serverbound

namespace horizon::protocol::v775::configuration::clientbound {
inline constexpr std::int32_t kCookieRequest = 0x00;
inline constexpr std::int32_t kCustomPayload = 0x01;
inline constexpr std::int32_t kDisconnect = 0x02;
inline constexpr std::int32_t kFinishConfiguration = 0x03;
inline constexpr std::int32_t kKeepAlive = 0x04;
inline constexpr std::int32_t kPing = 0x05;
inline constexpr std::int32_t kResetChat = 0x06;
inline constexpr std::int32_t kRegistryData = 0x07;
inline constexpr std::int32_t kResourcePackPop = 0x08;
inline constexpr std::int32_t kResourcePackPush = 0x09;
inline constexpr std::int32_t kStoreCookie = 0x0a;
inline constexpr std::int32_t kTransfer = 0x0b;
inline constexpr std::int32_t kUpdateEnabledFeatures = 0x0c;
inline constexpr std::int32_t kUpdateTags = 0x0d;
inline constexpr std::int32_t kSelectKnownPacks = 0x0e;
inline constexpr std::int32_t kCustomReportDetails = 0x0f;
inline constexpr std::int32_t kServerLinks = 0x10;
inline constexpr std::int32_t kClearDialog = 0x11;
inline constexpr std::int32_t kShowDialog = 0x12;
inline constexpr std::int32_t kCodeOfConduct = 0x13;
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 20;
}  // namespace horizon::protocol::v775::configuration::clientbound

namespace horizon::protocol::v775::configuration::serverbound {
inline constexpr std::int32_t kClientInformation = 0x00;
inline constexpr std::int32_t kCookieResponse = 0x01;
inline constexpr std::int32_t kCustomPayload = 0x02;
inline constexpr std::int32_t kFinishConfiguration = 0x03;
inline constexpr std::int32_t kKeepAlive = 0x04;
inline constexpr std::int32_t kPong = 0x05;
inline constexpr std::int32_t kResourcePack = 0x06;
inline constexpr std::int32_t kSelectKnownPacks = 0x07;
inline constexpr std::int32_t kCustomClickAction = 0x08;
inline constexpr std::int32_t kAcceptCodeOfConduct = 0x09;
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 10;
}  // namespace horizon::protocol::v775::configuration::serverbound

namespace horizon::protocol::v775::play::clientbound {
inline constexpr std::int32_t kBundleDelimiter = 0x00;
inline constexpr std::int32_t kAddEntity = 0x01;
inline constexpr std::int32_t kAnimate = 0x02;
inline constexpr std::int32_t kAwardStats = 0x03;
inline constexpr std::int32_t kBlockChangedAck = 0x04;
inline constexpr std::int32_t kBlockDestruction = 0x05;
inline constexpr std::int32_t kBlockEntityData = 0x06;
inline constexpr std::int32_t kBlockEvent = 0x07;
inline constexpr std::int32_t kBlockUpdate = 0x08;
inline constexpr std::int32_t kBossEvent = 0x09;
inline constexpr std::int32_t kChangeDifficulty = 0x0a;
inline constexpr std::int32_t kChunkBatchFinished = 0x0b;
inline constexpr std::int32_t kChunkBatchStart = 0x0c;
inline constexpr std::int32_t kChunksBiomes = 0x0d;
inline constexpr std::int32_t kClearTitles = 0x0e;
inline constexpr std::int32_t kCommandSuggestions = 0x0f;
inline constexpr std::int32_t kCommands = 0x10;
inline constexpr std::int32_t kContainerClose = 0x11;
inline constexpr std::int32_t kContainerSetContent = 0x12;
inline constexpr std::int32_t kContainerSetData = 0x13;
inline constexpr std::int32_t kContainerSetSlot = 0x14;
inline constexpr std::int32_t kCookieRequest = 0x15;
inline constexpr std::int32_t kCooldown = 0x16;
inline constexpr std::int32_t kCustomChatCompletions = 0x17;
inline constexpr std::int32_t kCustomPayload = 0x18;
inline constexpr std::int32_t kDamageEvent = 0x19;
inline constexpr std::int32_t kDebugBlockValue = 0x1a;
inline constexpr std::int32_t kDebugChunkValue = 0x1b;
inline constexpr std::int32_t kDebugEntityValue = 0x1c;
inline constexpr std::int32_t kDebugEvent = 0x1d;
inline constexpr std::int32_t kDebugSample = 0x1e;
inline constexpr std::int32_t kDeleteChat = 0x1f;
inline constexpr std::int32_t kDisconnect = 0x20;
inline constexpr std::int32_t kDisguisedChat = 0x21;
inline constexpr std::int32_t kEntityEvent = 0x22;
inline constexpr std::int32_t kEntityPositionSync = 0x23;
inline constexpr std::int32_t kExplode = 0x24;
inline constexpr std::int32_t kForgetLevelChunk = 0x25;
inline constexpr std::int32_t kGameEvent = 0x26;
inline constexpr std::int32_t kGameRuleValues = 0x27;
inline constexpr std::int32_t kGameTestHighlightPos = 0x28;
inline constexpr std::int32_t kMountScreenOpen = 0x29;
inline constexpr std::int32_t kHurtAnimation = 0x2a;
inline constexpr std::int32_t kInitializeBorder = 0x2b;
inline constexpr std::int32_t kKeepAlive = 0x2c;
inline constexpr std::int32_t kLevelChunkWithLight = 0x2d;
inline constexpr std::int32_t kLevelEvent = 0x2e;
inline constexpr std::int32_t kLevelParticles = 0x2f;
inline constexpr std::int32_t kLightUpdate = 0x30;
inline constexpr std::int32_t kLogin = 0x31;
inline constexpr std::int32_t kLowDiskSpaceWarning = 0x32;
inline constexpr std::int32_t kMapItemData = 0x33;
inline constexpr std::int32_t kMerchantOffers = 0x34;
inline constexpr std::int32_t kMoveEntityPos = 0x35;
inline constexpr std::int32_t kMoveEntityPosRot = 0x36;
inline constexpr std::int32_t kMoveMinecartAlongTrack = 0x37;
inline constexpr std::int32_t kMoveEntityRot = 0x38;
inline constexpr std::int32_t kMoveVehicle = 0x39;
inline constexpr std::int32_t kOpenBook = 0x3a;
inline constexpr std::int32_t kOpenScreen = 0x3b;
inline constexpr std::int32_t kOpenSignEditor = 0x3c;
inline constexpr std::int32_t kPing = 0x3d;
inline constexpr std::int32_t kPongResponse = 0x3e;
inline constexpr std::int32_t kPlaceGhostRecipe = 0x3f;
inline constexpr std::int32_t kPlayerAbilities = 0x40;
inline constexpr std::int32_t kPlayerChat = 0x41;
inline constexpr std::int32_t kPlayerCombatEnd = 0x42;
inline constexpr std::int32_t kPlayerCombatEnter = 0x43;
inline constexpr std::int32_t kPlayerCombatKill = 0x44;
inline constexpr std::int32_t kPlayerInfoRemove = 0x45;
inline constexpr std::int32_t kPlayerInfoUpdate = 0x46;
inline constexpr std::int32_t kPlayerLookAt = 0x47;
inline constexpr std::int32_t kPlayerPosition = 0x48;
inline constexpr std::int32_t kPlayerRotation = 0x49;
inline constexpr std::int32_t kRecipeBookAdd = 0x4a;
inline constexpr std::int32_t kRecipeBookRemove = 0x4b;
inline constexpr std::int32_t kRecipeBookSettings = 0x4c;
inline constexpr std::int32_t kRemoveEntities = 0x4d;
inline constexpr std::int32_t kRemoveMobEffect = 0x4e;
inline constexpr std::int32_t kResetScore = 0x4f;
inline constexpr std::int32_t kResourcePackPop = 0x50;
inline constexpr std::int32_t kResourcePackPush = 0x51;
inline constexpr std::int32_t kRespawn = 0x52;
inline constexpr std::int32_t kRotateHead = 0x53;
inline constexpr std::int32_t kSectionBlocksUpdate = 0x54;
inline constexpr std::int32_t kSelectAdvancementsTab = 0x55;
inline constexpr std::int32_t kServerData = 0x56;
inline constexpr std::int32_t kSetActionBarText = 0x57;
inline constexpr std::int32_t kSetBorderCenter = 0x58;
inline constexpr std::int32_t kSetBorderLerpSize = 0x59;
inline constexpr std::int32_t kSetBorderSize = 0x5a;
inline constexpr std::int32_t kSetBorderWarningDelay = 0x5b;
inline constexpr std::int32_t kSetBorderWarningDistance = 0x5c;
inline constexpr std::int32_t kSetCamera = 0x5d;
inline constexpr std::int32_t kSetChunkCacheCenter = 0x5e;
inline constexpr std::int32_t kSetChunkCacheRadius = 0x5f;
inline constexpr std::int32_t kSetCursorItem = 0x60;
inline constexpr std::int32_t kSetDefaultSpawnPosition = 0x61;
inline constexpr std::int32_t kSetDisplayObjective = 0x62;
inline constexpr std::int32_t kSetEntityData = 0x63;
inline constexpr std::int32_t kSetEntityLink = 0x64;
inline constexpr std::int32_t kSetEntityMotion = 0x65;
inline constexpr std::int32_t kSetEquipment = 0x66;
inline constexpr std::int32_t kSetExperience = 0x67;
inline constexpr std::int32_t kSetHealth = 0x68;
inline constexpr std::int32_t kSetHeldSlot = 0x69;
inline constexpr std::int32_t kSetObjective = 0x6a;
inline constexpr std::int32_t kSetPassengers = 0x6b;
inline constexpr std::int32_t kSetPlayerInventory = 0x6c;
inline constexpr std::int32_t kSetPlayerTeam = 0x6d;
inline constexpr std::int32_t kSetScore = 0x6e;
inline constexpr std::int32_t kSetSimulationDistance = 0x6f;
inline constexpr std::int32_t kSetSubtitleText = 0x70;
inline constexpr std::int32_t kSetTime = 0x71;
inline constexpr std::int32_t kSetTitleText = 0x72;
inline constexpr std::int32_t kSetTitlesAnimation = 0x73;
inline constexpr std::int32_t kSoundEntity = 0x74;
inline constexpr std::int32_t kSound = 0x75;
inline constexpr std::int32_t kStartConfiguration = 0x76;
inline constexpr std::int32_t kStopSound = 0x77;
inline constexpr std::int32_t kStoreCookie = 0x78;
inline constexpr std::int32_t kSystemChat = 0x79;
inline constexpr std::int32_t kTabList = 0x7a;
inline constexpr std::int32_t kTagQuery = 0x7b;
inline constexpr std::int32_t kTakeItemEntity = 0x7c;
inline constexpr std::int32_t kTeleportEntity = 0x7d;
inline constexpr std::int32_t kTestInstanceBlockStatus = 0x7e;
inline constexpr std::int32_t kTickingState = 0x7f;
inline constexpr std::int32_t kTickingStep = 0x80;
inline constexpr std::int32_t kTransfer = 0x81;
inline constexpr std::int32_t kUpdateAdvancements = 0x82;
inline constexpr std::int32_t kUpdateAttributes = 0x83;
inline constexpr std::int32_t kUpdateMobEffect = 0x84;
inline constexpr std::int32_t kUpdateRecipes = 0x85;
inline constexpr std::int32_t kUpdateTags = 0x86;
inline constexpr std::int32_t kProjectilePower = 0x87;
inline constexpr std::int32_t kCustomReportDetails = 0x88;
inline constexpr std::int32_t kServerLinks = 0x89;
inline constexpr std::int32_t kWaypoint = 0x8a;
inline constexpr std::int32_t kClearDialog = 0x8b;
inline constexpr std::int32_t kShowDialog = 0x8c;
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 141;
}  // namespace horizon::protocol::v775::play::clientbound

namespace horizon::protocol::v775::play::serverbound {
inline constexpr std::int32_t kAcceptTeleportation = 0x00;
inline constexpr std::int32_t kAttack = 0x01;
inline constexpr std::int32_t kBlockEntityTagQuery = 0x02;
inline constexpr std::int32_t kBundleItemSelected = 0x03;
inline constexpr std::int32_t kChangeDifficulty = 0x04;
inline constexpr std::int32_t kChangeGameMode = 0x05;
inline constexpr std::int32_t kChatAck = 0x06;
inline constexpr std::int32_t kChatCommand = 0x07;
inline constexpr std::int32_t kChatCommandSigned = 0x08;
inline constexpr std::int32_t kChat = 0x09;
inline constexpr std::int32_t kChatSessionUpdate = 0x0a;
inline constexpr std::int32_t kChunkBatchReceived = 0x0b;
inline constexpr std::int32_t kClientCommand = 0x0c;
inline constexpr std::int32_t kClientTickEnd = 0x0d;
inline constexpr std::int32_t kClientInformation = 0x0e;
inline constexpr std::int32_t kCommandSuggestion = 0x0f;
inline constexpr std::int32_t kConfigurationAcknowledged = 0x10;
inline constexpr std::int32_t kContainerButtonClick = 0x11;
inline constexpr std::int32_t kContainerClick = 0x12;
inline constexpr std::int32_t kContainerClose = 0x13;
inline constexpr std::int32_t kContainerSlotStateChanged = 0x14;
inline constexpr std::int32_t kCookieResponse = 0x15;
inline constexpr std::int32_t kCustomPayload = 0x16;
inline constexpr std::int32_t kDebugSubscriptionRequest = 0x17;
inline constexpr std::int32_t kEditBook = 0x18;
inline constexpr std::int32_t kEntityTagQuery = 0x19;
inline constexpr std::int32_t kInteract = 0x1a;
inline constexpr std::int32_t kJigsawGenerate = 0x1b;
inline constexpr std::int32_t kKeepAlive = 0x1c;
inline constexpr std::int32_t kLockDifficulty = 0x1d;
inline constexpr std::int32_t kMovePlayerPos = 0x1e;
inline constexpr std::int32_t kMovePlayerPosRot = 0x1f;
inline constexpr std::int32_t kMovePlayerRot = 0x20;
inline constexpr std::int32_t kMovePlayerStatusOnly = 0x21;
inline constexpr std::int32_t kMoveVehicle = 0x22;
inline constexpr std::int32_t kPaddleBoat = 0x23;
inline constexpr std::int32_t kPickItemFromBlock = 0x24;
inline constexpr std::int32_t kPickItemFromEntity = 0x25;
inline constexpr std::int32_t kPingRequest = 0x26;
inline constexpr std::int32_t kPlaceRecipe = 0x27;
inline constexpr std::int32_t kPlayerAbilities = 0x28;
inline constexpr std::int32_t kPlayerAction = 0x29;
inline constexpr std::int32_t kPlayerCommand = 0x2a;
inline constexpr std::int32_t kPlayerInput = 0x2b;
inline constexpr std::int32_t kPlayerLoaded = 0x2c;
inline constexpr std::int32_t kPong = 0x2d;
inline constexpr std::int32_t kRecipeBookChangeSettings = 0x2e;
inline constexpr std::int32_t kRecipeBookSeenRecipe = 0x2f;
inline constexpr std::int32_t kRenameItem = 0x30;
inline constexpr std::int32_t kResourcePack = 0x31;
inline constexpr std::int32_t kSeenAdvancements = 0x32;
inline constexpr std::int32_t kSelectTrade = 0x33;
inline constexpr std::int32_t kSetBeacon = 0x34;
inline constexpr std::int32_t kSetCarriedItem = 0x35;
inline constexpr std::int32_t kSetCommandBlock = 0x36;
inline constexpr std::int32_t kSetCommandMinecart = 0x37;
inline constexpr std::int32_t kSetCreativeModeSlot = 0x38;
inline constexpr std::int32_t kSetGameRule = 0x39;
inline constexpr std::int32_t kSetJigsawBlock = 0x3a;
inline constexpr std::int32_t kSetStructureBlock = 0x3b;
inline constexpr std::int32_t kSetTestBlock = 0x3c;
inline constexpr std::int32_t kSignUpdate = 0x3d;
inline constexpr std::int32_t kSpectateEntity = 0x3e;
inline constexpr std::int32_t kSwing = 0x3f;
inline constexpr std::int32_t kTeleportToEntity = 0x40;
inline constexpr std::int32_t kTestInstanceBlockAction = 0x41;
inline constexpr std::int32_t kUseItemOn = 0x42;
inline constexpr std::int32_t kUseItem = 0x43;
inline constexpr std::int32_t kCustomClickAction = 0x44;
/// Ids are 0 to kCount - 1.
inline constexpr std::int32_t kCount = 69;
}  // namespace horizon::protocol::v775::play::serverbound
