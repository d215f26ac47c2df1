#pragma once

#include "common/protocol/configuration.hpp"
#include "common/protocol/handshake.hpp"
#include "common/protocol/login.hpp"
#include "common/protocol/play.hpp"
#include "common/protocol/status.hpp"

/// All packets that have a struct, by state and direction: for tools that do something with each of them.
namespace horizon::protocol {

template <class... P>
struct PacketList {
  static constexpr std::size_t kSize = sizeof...(P);

  /// Calls `f` with an empty packet of each type.
  template <class F>
  static void for_each(F f) {
    (f(P{}), ...);
  }
};

using HandshakeServerbound = PacketList<handshake::serverbound::Intention>;

using StatusClientbound = PacketList<status::clientbound::StatusResponse, status::clientbound::PongResponse>;

using StatusServerbound = PacketList<status::serverbound::StatusRequest, status::serverbound::PingRequest>;

using LoginClientbound = PacketList<login::clientbound::LoginDisconnect, login::clientbound::Hello,
                                    login::clientbound::LoginFinished, login::clientbound::LoginCompression,
                                    login::clientbound::CustomQuery, login::clientbound::CookieRequest>;

using LoginServerbound =
    PacketList<login::serverbound::Hello, login::serverbound::Key, login::serverbound::CustomQueryAnswer,
               login::serverbound::LoginAcknowledged, login::serverbound::CookieResponse>;

using ConfigurationClientbound =
    PacketList<configuration::clientbound::CustomPayload, configuration::clientbound::Disconnect,
               configuration::clientbound::FinishConfiguration, configuration::clientbound::KeepAlive,
               configuration::clientbound::Ping, configuration::clientbound::RegistryData,
               configuration::clientbound::UpdateEnabledFeatures, configuration::clientbound::UpdateTags,
               configuration::clientbound::SelectKnownPacks, configuration::clientbound::StoreCookie,
               configuration::clientbound::Transfer, configuration::clientbound::CookieRequest,
               configuration::clientbound::ResetChat>;

using ConfigurationServerbound =
    PacketList<configuration::serverbound::ClientInformation, configuration::serverbound::CustomPayload,
               configuration::serverbound::FinishConfiguration, configuration::serverbound::KeepAlive,
               configuration::serverbound::Pong, configuration::serverbound::ResourcePack,
               configuration::serverbound::SelectKnownPacks, configuration::serverbound::CookieResponse>;

using PlayClientbound = PacketList<
    play::clientbound::BundleDelimiter, play::clientbound::Login, play::clientbound::Respawn,
    play::clientbound::PlayerPosition, play::clientbound::PlayerRotation, play::clientbound::SetHealth,
    play::clientbound::SetExperience, play::clientbound::SetDefaultSpawnPosition,
    play::clientbound::GameEvent, play::clientbound::SetChunkCacheCenter,
    play::clientbound::SetChunkCacheRadius, play::clientbound::SetSimulationDistance,
    play::clientbound::ChunkBatchStart, play::clientbound::ChunkBatchFinished,
    play::clientbound::LevelChunkWithLight, play::clientbound::LightUpdate,
    play::clientbound::ForgetLevelChunk, play::clientbound::BlockUpdate,
    play::clientbound::SectionBlocksUpdate, play::clientbound::BlockChangedAck,
    play::clientbound::BlockDestruction, play::clientbound::BlockEvent, play::clientbound::BlockEntityData,
    play::clientbound::LevelEvent, play::clientbound::AddEntity, play::clientbound::RemoveEntities,
    play::clientbound::MoveEntityPos, play::clientbound::MoveEntityPosRot, play::clientbound::MoveEntityRot,
    play::clientbound::EntityPositionSync, play::clientbound::TeleportEntity, play::clientbound::RotateHead,
    play::clientbound::SetEntityData, play::clientbound::SetEntityMotion, play::clientbound::Animate,
    play::clientbound::EntityEvent, play::clientbound::DamageEvent, play::clientbound::HurtAnimation,
    play::clientbound::SetPassengers, play::clientbound::TakeItemEntity, play::clientbound::SetEquipment,
    play::clientbound::PlayerInfoUpdate, play::clientbound::PlayerInfoRemove,
    play::clientbound::PlayerAbilities, play::clientbound::SetHeldSlot,
    play::clientbound::ContainerSetContent, play::clientbound::ContainerSetSlot,
    play::clientbound::ContainerSetData, play::clientbound::ContainerClose, play::clientbound::OpenScreen,
    play::clientbound::SetPlayerInventory, play::clientbound::SetCursorItem, play::clientbound::SetTime,
    play::clientbound::ChangeDifficulty, play::clientbound::CustomPayload, play::clientbound::KeepAlive,
    play::clientbound::Ping, play::clientbound::PongResponse, play::clientbound::SystemChat,
    play::clientbound::SetActionBarText, play::clientbound::DisguisedChat, play::clientbound::PlayerChat,
    play::clientbound::Commands, play::clientbound::CommandSuggestions, play::clientbound::Disconnect,
    play::clientbound::ServerData, play::clientbound::TabList, play::clientbound::TickingState,
    play::clientbound::TickingStep, play::clientbound::StartConfiguration, play::clientbound::StoreCookie,
    play::clientbound::Transfer>;

using PlayServerbound = PacketList<
    play::serverbound::AcceptTeleportation, play::serverbound::MovePlayerPos,
    play::serverbound::MovePlayerPosRot, play::serverbound::MovePlayerRot,
    play::serverbound::MovePlayerStatusOnly, play::serverbound::PlayerLoaded,
    play::serverbound::ChunkBatchReceived, play::serverbound::KeepAlive, play::serverbound::Pong,
    play::serverbound::PingRequest, play::serverbound::ClientInformation, play::serverbound::CustomPayload,
    play::serverbound::ClientTickEnd, play::serverbound::SetCarriedItem, play::serverbound::PlayerInput,
    play::serverbound::PlayerCommand, play::serverbound::PlayerAbilities, play::serverbound::PlayerAction,
    play::serverbound::UseItemOn, play::serverbound::UseItem, play::serverbound::Swing,
    play::serverbound::SetCreativeModeSlot, play::serverbound::Chat, play::serverbound::ChatCommand,
    play::serverbound::ChatCommandSigned, play::serverbound::ChatAck, play::serverbound::ChatSessionUpdate,
    play::serverbound::CommandSuggestion, play::serverbound::Interact, play::serverbound::Attack,
    play::serverbound::ClientCommand, play::serverbound::ContainerClose, play::serverbound::ContainerClick,
    play::serverbound::PickItemFromBlock, play::serverbound::PickItemFromEntity,
    play::serverbound::ConfigurationAcknowledged, play::serverbound::CookieResponse>;

}  // namespace horizon::protocol
