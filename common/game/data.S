/* The game's data as constant bytes of the program; read in game.cpp. The path is relative to the project's root,
   which is an include folder of the build. */
    .section .rodata
    .global horizon_game_data
    .hidden horizon_game_data
    .type horizon_game_data, %object
    .balign 64
horizon_game_data:
    .incbin "common/game/data_26_1.bin"
    .size horizon_game_data, . - horizon_game_data
    .section .note.GNU-stack, "", %progbits
