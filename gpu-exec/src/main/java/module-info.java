/** GPU executor: backend-neutral contracts, Vulkan, the virtual GPU and the hazard checker. */
@SuppressWarnings({
    "requires-automatic", // Agrona has a name, but no descriptor
    "module" // the modules that internal things are exported to are compiled after this one
})
module io.frameloom.gpu {
    requires transitive io.frameloom.taskgraph;
    requires static transitive org.jspecify;
    requires transitive org.lwjgl;
    requires transitive org.lwjgl.vulkan;
    requires static org.lwjgl.renderdoc;
    requires org.lwjgl.shaderc;
    requires org.lwjgl.spvc;
    requires org.lwjgl.vma;
    requires org.agrona;

    exports io.frameloom.gpu;
    exports io.frameloom.gpu.backend;
    exports io.frameloom.gpu.cache;
    exports io.frameloom.gpu.check;
    exports io.frameloom.gpu.command;
    exports io.frameloom.gpu.error;
    exports io.frameloom.gpu.internal to
            io.frameloom.rdg,
            io.frameloom.rdg.tools;
    exports io.frameloom.gpu.pipeline;
    exports io.frameloom.gpu.present;
    exports io.frameloom.gpu.resource;
    exports io.frameloom.gpu.transfer;
    exports io.frameloom.gpu.virtual;
    exports io.frameloom.gpu.vulkan;
}
