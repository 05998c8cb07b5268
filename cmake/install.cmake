include(GNUInstallDirs)
install(TARGETS arges_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
