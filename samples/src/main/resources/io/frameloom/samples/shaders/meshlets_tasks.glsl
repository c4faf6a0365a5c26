// What a task of meshlets hands to the workgroups that it starts: each one draws an instance.
struct Payload {
    uint instances[32];
};
taskPayloadSharedEXT Payload payload;
