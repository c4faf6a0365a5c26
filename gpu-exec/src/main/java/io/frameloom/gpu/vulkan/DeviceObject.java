package io.frameloom.gpu.vulkan;

/** Something on a device that an application owns and closes; what it leaves open is reported and closed with the device. */
interface DeviceObject {
    /** The order in which forgotten objects are closed: users before what they use. */
    enum Kind {
        FRAME_CONTEXT("frame context"),
        TIMESTAMPS("timestamp set"),
        BINDING_SET("binding set"),
        PIPELINE("pipeline"),
        SWAPCHAIN("swapchain"),
        SURFACE("surface"),
        TEXTURE("texture"),
        BUFFER("buffer"),
        HEAP("heap");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    Kind objectKind();

    String name();

    void close();

    /** Returns kind and name for messages. */
    default String describe() {
        return objectKind().words + " '" + name() + "'";
    }
}
